import Glibc

/// An angle as its sine and cosine, which keeps small angles and right angles exact where one number would not.
struct SinCos: Hashable, Sendable {
    let sine: Double
    let cosine: Double

    /// The direction of (cosine, sine), brought to length 1.
    init(sine: Double, cosine: Double) {
        let length = hypot(sine, cosine)
        self.sine = length > 0 ? sine / length : 0
        self.cosine = length > 0 ? cosine / length : 1
    }

    init(radians: Double) { self.init(sine: sin(radians), cosine: cos(radians)) }

    /// In (-π, π].
    var radians: Double { atan2(sine, cosine) }

    /// The turn from here to `other` in (-π, π], without loss where it is small.
    func turn(to other: SinCos) -> SinCos {
        SinCos(
            sine: cosine * other.sine - sine * other.cosine, cosine: cosine * other.cosine + sine * other.sine
        )
    }
}
