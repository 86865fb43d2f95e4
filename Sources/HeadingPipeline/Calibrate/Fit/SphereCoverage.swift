import Glibc

/// Which directions of the field, seen from the sensor, have been there.
///
/// The sphere is divided into cells of equal area (the Fibonacci lattice). A direction counts as missing where
/// it lies in a cap without any sample; the cap is small where samples are many, so that a few well spread
/// poses count for the whole sphere, and a half sphere counts for half, however dense.
package struct SphereCoverage: Hashable, Sendable {
    package static let cells: [Vector3] = lattice(500)
    private static let smallestCap = 25.0
    private static let largestCap = 60.0

    /// Of each cell, whether a sample fell into it.
    package private(set) var isVisited = [Bool](repeating: false, count: SphereCoverage.cells.count)
    package private(set) var visitedCells = 0

    package init() {}

    package init(_ vectors: some Sequence<Vector3>) {
        for vector in vectors { add(vector) }
    }

    private static func lattice(_ count: Int) -> [Vector3] {
        let goldenAngle = Double.pi * (3 - 5.0.squareRoot())
        return (0..<count).map { index in
            let z = 1 - (2 * Double(index) + 1) / Double(count)
            let ring = (1 - z * z).squareRoot()
            let turn = goldenAngle * Double(index)
            return Vector3(ring * cos(turn), ring * sin(turn), z)
        }
    }

    package mutating func add(_ vector: Vector3) {
        guard let direction = vector.normalized else { return }
        let cell = Self.cell(of: direction)
        if !isVisited[cell] { visitedCells += 1 }
        isVisited[cell] = true
    }

    /// The cell whose middle is nearest. Cells stand in the order of z, so only a band needs a look.
    package static func cell(of direction: Vector3) -> Int {
        let count = cells.count
        let row = Int((1 - direction.z) / 2 * Double(count))
        let reach = 70
        var best = 0
        var nearest = -Double.infinity
        for index in max(0, row - reach)..<min(count, row + reach + 1) {
            let closeness = cells[index].dot(direction)
            if closeness > nearest { (best, nearest) = (index, closeness) }
        }
        return best
    }

    /// Of each cell, whether it counts as covered.
    package var isCovered: [Bool] {
        guard visitedCells > 0 else { return isVisited }
        let reach = cos(capRadius * .pi / 180)
        let visited = zip(Self.cells, isVisited).filter(\.1).map(\.0)
        let empty = Self.cells.filter { cell in !visited.contains { $0.dot(cell) >= reach } }
        return Self.cells.map { cell in !empty.contains { $0.dot(cell) >= reach } }
    }

    private var capRadius: Double {
        max(Self.smallestCap, min(Self.largestCap, 300 / Double(visitedCells).squareRoot()))
    }

    /// 0...1.
    package var share: Double {
        Double(isCovered.count { $0 }) / Double(Self.cells.count)
    }

    /// The middle of what is missing: where to turn next; `nil` where nothing is.
    package var emptiestDirection: Vector3? {
        let visited = zip(Self.cells, isVisited).filter(\.1).map(\.0)
        let missing = zip(Self.cells, isCovered).filter { !$0.1 }.map(\.0)
        guard !missing.isEmpty, !visited.isEmpty else { return nil }
        func closest(_ cell: Vector3) -> Double { visited.map { $0.dot(cell) }.max() ?? 1 }
        return missing.min { closest($0) < closest($1) }
    }
}
