/// Which directions of the field in the plane of a level turn have been there.
package struct CircleCoverage: Hashable, Sendable {
    package static let sectors = 24

    package private(set) var isVisited = [Bool](repeating: false, count: CircleCoverage.sectors)
    /// The sector of the vector that was added last.
    package private(set) var current: Int?
    private let alongX: Vector3
    private let alongY: Vector3

    /// `normal` is the plane's, a unit vector.
    package init(normal: Vector3) {
        // Whichever of the sensor's x and y axes lies more in the plane points up in a picture.
        let axis = normal.x.magnitude < 0.8 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)
        alongY = normal.cross(axis).normalized ?? Vector3(0, 1, 0)
        alongX = alongY.cross(normal)
    }

    package mutating func add(_ vector: Vector3) {
        let sector = sector(vector.dot(alongX), vector.dot(alongY))
        isVisited[sector] = true
        current = sector
    }

    package func sector(_ x: Double, _ y: Double) -> Int {
        let turn: Double = Angle.direction(north: x, east: y) / Angle.fullTurn
        return min(Self.sectors - 1, Int(turn * Double(Self.sectors)))
    }

    /// 0...1.
    package var share: Double { Double(isVisited.count { $0 }) / Double(Self.sectors) }
}
