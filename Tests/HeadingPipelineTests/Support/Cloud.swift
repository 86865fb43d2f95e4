import Glibc
import HeadingPipeline

/// Clouds of raw field vectors whose calibration is known.
struct Cloud {
    var softIron = Matrix3.identity
    var hardIron = Vector3.zero
    var strength = 48.86
    var noise = 0.0
    private var random: SeededRandom

    init(seed: UInt64 = 1) { random = SeededRandom(seed: seed) }

    mutating func normal() -> Double {
        let u = Double.random(in: Double.leastNormalMagnitude..<1, using: &random)
        let v = Double.random(in: 0..<1, using: &random)
        return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
    }

    mutating func direction() -> Vector3 {
        let vector = Vector3(normal(), normal(), normal())
        return vector.normalized ?? Vector3(1, 0, 0)
    }

    /// What the sensor says of a field that comes from this direction.
    mutating func raw(_ direction: Vector3) -> Vector3 {
        let noise = Vector3(normal(), normal(), normal()) * noise
        return softIron * (direction * strength) + hardIron + noise
    }

    mutating func samples(_ directions: [Vector3]) -> [CalibrationSample] {
        directions.map { CalibrationSample(fieldMicrotesla: raw($0)) }
    }

    mutating func sphere(_ count: Int) -> [CalibrationSample] {
        samples((0..<count).map { _ in direction() })
    }

    /// A rotation about an axis, by Rodrigues' formula.
    static func rotation(_ degrees: Double, about axis: Vector3) -> Matrix3 {
        let angle = degrees * .pi / 180
        let unit = axis / axis.length
        let across = Matrix3(
            Vector3(0, -unit.z, unit.y), Vector3(unit.z, 0, -unit.x), Vector3(-unit.y, unit.x, 0))
        return Matrix3.identity + across * sin(angle) + across * across * (1 - cos(angle))
    }
}
