import HeadingPipeline

/// The sphere of directions from which the field can come, seen from the sensor: two discs in the terminal, the side
/// of its +z and the side of its -z axis, +x up and +y to the right, drawn anew in the same place.
final class SpherePicture: ProgressView {
    private static let radius = 7
    private var height = 0

    func begin(origin: String, isLevelTurn: Bool) {
        StandardStream.output.write(
            """
            Calibrating with \(origin). Enter ends with what there is, Ctrl-C gives up.
            Hold it away from iron, tools and telephones.


            """)
    }

    func show(_ progress: CalibrationProgress) {
        let lines = picture(progress) + ["", bar(progress.share), progress.line]
        // Up to where the picture began, and each line to its end.
        let up = height > 0 ? "\u{1B}[\(height)A" : ""
        StandardStream.output.write(up + lines.map { "\u{1B}[2K\($0)\n" }.joined())
        height = lines.count
    }

    func end() { StandardStream.output.write("\n") }

    private func bar(_ share: Double) -> String {
        let width = 50
        let full = max(0, min(width, Int(share * Double(width))))
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full) + "]"
    }

    func picture(_ progress: CalibrationProgress) -> [String] {
        let covered = progress.coverage.isCovered
        let rows = -Self.radius...Self.radius
        let title = "   +z side" + String(repeating: " ", count: 2 * Self.radius + 24) + "-z side"
        return [title]
            + rows.map { row in
                [1.0, -1.0].map { side in line(row, side, covered, progress.current) }.joined(
                    separator: "    ")
            }
    }

    private func line(_ row: Int, _ side: Double, _ covered: [Bool], _ current: Vector3?) -> String {
        let columns = -2 * Self.radius...2 * Self.radius
        return String(
            columns.map { column in
                let x = -Double(row) / Double(Self.radius)
                let y = Double(column) / Double(2 * Self.radius)
                guard let direction = Self.direction(x, y, side: side) else { return " " as Character }
                // A step of the raster is about 10 degrees.
                if let current, current.dot(direction) > 0.985 { return "@" }
                return covered[SphereCoverage.cell(of: direction)] ? "o" : "."
            })
    }

    /// Of a point in a disc of radius 1, in Lambert's equal-area projection; `nil` outside.
    private static func direction(_ x: Double, _ y: Double, side: Double) -> Vector3? {
        let square = x * x + y * y
        guard square <= 1 else { return nil }
        let factor = (2 - square).squareRoot()
        return Vector3(x * factor, y * factor, (1 - square) * side)
    }
}
