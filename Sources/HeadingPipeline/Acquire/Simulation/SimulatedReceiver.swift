/// The simulated vessel's receiver: its position wanders slowly, as a real one's does, and its speed and
/// course are noisy.
struct SimulatedReceiver: Sendable {
    let isNoisy: Bool
    /// Metres by which the position is off, a first-order Gauss-Markov process.
    private var offset = (north: 0.0, east: 0.0)

    init(isNoisy: Bool) { self.isNoisy = isNoisy }

    private static let device = "simulated"
    /// 1 sigma of each component.
    private static let positionDeviation = 1.5
    private static let speedDeviation = 0.05
    /// What a second leaves of the wander, with a memory of a minute.
    private static let persistence = 0.98347

    let satellites = SatelliteReport(device: device, used: 9, visible: 12)

    mutating func fix(
        at position: GeoPosition, velocity: Vector3, time: UTCTime, noise: inout SeededNoise
    ) -> GpsFix {
        var velocity = velocity
        if isNoisy {
            wander(&noise)
            velocity += noise.vector(Self.speedDeviation)
        }
        var fix = GpsFix(mode: .threeDimensional)
        fix.device = Self.device
        fix.time = time
        fix.position = GeoPosition(
            clampedLatitude: position.latitude + .radians(offset.north / WGS84.equatorialRadius.meters),
            longitude: position.longitude
                + .radians(offset.east / (WGS84.equatorialRadius.meters * position.latitude.cosine)))
        fix.altitude = .meters(2)
        // The ellipsoid lies 53 m below the sea off Plymouth (EGM96).
        fix.ellipsoidHeight = .meters(55)
        let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
        fix.speed = .metersPerSecond(speed)
        fix.course = .direction(north: velocity.x, east: velocity.y)
        addErrors(to: &fix, speed: speed)
        return fix
    }

    private mutating func wander(_ noise: inout SeededNoise) {
        let fresh = Self.positionDeviation * (1 - Self.persistence * Self.persistence).squareRoot()
        offset.north = offset.north * Self.persistence + fresh * noise.normal()
        offset.east = offset.east * Self.persistence + fresh * noise.normal()
    }

    /// Half-widths of the 95 % interval; of a circle it is 2.45 sigma of one component.
    private func addErrors(to fix: inout GpsFix, speed: Double) {
        fix.horizontalError = .meters(2.45 * Self.positionDeviation)
        fix.speedError = .metersPerSecond(1.96 * Self.speedDeviation)
        fix.courseError = .radians(min(1.96 * Self.speedDeviation / max(speed, 0.01), .pi))
    }
}
