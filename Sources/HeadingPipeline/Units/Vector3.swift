/// Three components in one right-handed frame. The frame and the unit stand in the name of whatever holds
/// it (`fieldMicrotesla`, `specificForce`, `bodyFrame`).
package struct Vector3: AdditiveArithmetic, Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var z: Double

    package init(_ x: Double, _ y: Double, _ z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    package static let zero = Vector3(0, 0, 0)
    package static func + (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x + b.x, a.y + b.y, a.z + b.z) }
    package static func - (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x - b.x, a.y - b.y, a.z - b.z) }
    package static func * (a: Vector3, factor: Double) -> Vector3 {
        Vector3(a.x * factor, a.y * factor, a.z * factor)
    }
    package static func / (a: Vector3, divisor: Double) -> Vector3 { a * (1 / divisor) }
    package static prefix func - (a: Vector3) -> Vector3 { Vector3(-a.x, -a.y, -a.z) }

    package func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }
    package func cross(_ other: Vector3) -> Vector3 {
        Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
    package var lengthSquared: Double { dot(self) }
    package var length: Double { lengthSquared.squareRoot() }
    package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

    /// The same direction with length 1; `nil` for the zero vector.
    package var normalized: Vector3? {
        let length = length
        return length > 0 && length.isFinite ? self / length : nil
    }
}
