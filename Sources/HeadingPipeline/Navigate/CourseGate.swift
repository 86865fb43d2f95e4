/// Decides whether the vessel moves enough for its course to mean anything. Opens at the threshold, closes well
/// under it, so that a speed about the threshold does not make the course come and go.
struct CourseGate: Sendable {
    let opening: Speed
    private(set) var isOpen = false

    var closing: Speed { opening * 0.6 }

    init(opening: Speed) { self.opening = opening }

    /// `margin` is how much of the speed may be noise.
    mutating func update(speed: Speed, margin: Speed = .zero) {
        isOpen = speed >= (isOpen ? max(closing, margin * 0.5) : opening + margin)
    }

    mutating func close() { isOpen = false }
}
