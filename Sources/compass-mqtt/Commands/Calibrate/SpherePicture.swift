import HeadingPipeline

/// Where the field has come from so far, drawn anew in the same place of the terminal: the sphere of directions, seen
/// from the sensor, as two discs, the side of its +z and the side of its -z axis, +x up and +y to the right; or, of a
/// level turn, the circle.
final class SpherePicture: ProgressView {
    private var size: Terminal.Size
    private var heading: [String] = []
    private var height = 0

    private static let largestRadius = 7
    private static let smallestRadius = 3
    private static let hintLines = 2
    /// Heading, title, bar, state and hint, and the line in which the cursor stands.
    private static let otherRows = 9

    /// `nil` where the terminal is too small for a picture, or standard output is none.
    init?() {
        guard let size = Terminal.size, Self.radius(size) >= Self.smallestRadius else { return nil }
        self.size = size
    }

    private static func radius(_ size: Terminal.Size) -> Int {
        min(largestRadius, (size.rows - otherRows - 1) / 2, (size.columns - 7) / 8)
    }

    func begin(origin: String, isLevelTurn: Bool) {
        heading = [
            "Calibrating with \(origin).", "Enter ends with what there is, Ctrl-C gives up.",
            isLevelTurn
                ? "Keep her level and off iron quays." : "Keep it away from iron, tools and telephones.",
        ]
        draw(heading)
    }

    func show(_ progress: CalibrationProgress) {
        var start = Terminal.up(height)
        if let now = Terminal.size, now != size {
            // What the terminal made of the lines that are there, nobody knows.
            size = now
            start = Terminal.clearScreen + text(heading)
        }
        let lines = lines(progress)
        StandardStream.output.write(start + text(lines))
        height = lines.count
    }

    /// The cursor stands below the picture all the time, so that nothing is left to be put right.
    func end() { StandardStream.output.write("\n") }

    private func draw(_ lines: [String]) { StandardStream.output.write(text(lines)) }

    /// No line may become two.
    private func text(_ lines: [String]) -> String {
        lines.map { "\(Terminal.clearLine)\($0.prefix(size.columns - 1))\n" }.joined()
    }

    func lines(_ progress: CalibrationProgress) -> [String] {
        let radius = max(1, Self.radius(size))
        let picture =
            progress.isLevelTurn
            ? CirclePicture(radius: radius).lines(progress)
            : SpherePicture.discs(progress, radius: radius)
        return picture + [bar(progress.share), progress.state] + hint(progress.hint)
    }

    private func bar(_ share: Double) -> String {
        let width = min(50, size.columns - 20)
        let full = max(0, min(width, Int(share * Double(width))))
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full)
            + "] \(Int(share * 100)) %"
    }

    private func hint(_ text: String) -> [String] {
        var lines = [""]
        for word in "next: \(text)".split(separator: " ") {
            let last = lines[lines.count - 1]
            if !last.isEmpty, last.count + 1 + word.count >= size.columns, lines.count < Self.hintLines {
                lines.append(String(word))
            } else {
                lines[lines.count - 1] = last.isEmpty ? String(word) : "\(last) \(word)"
            }
        }
        return lines + Array(repeating: "", count: Self.hintLines - lines.count)
    }
}

// MARK: The sphere

extension SpherePicture {
    static func discs(_ progress: CalibrationProgress, radius: Int) -> [String] {
        let covered = progress.coverage.isCovered
        let width = 4 * radius + 1
        func title(_ text: String) -> String {
            let left = (width - text.count) / 2
            return String(repeating: " ", count: left) + text
                + String(repeating: " ", count: width - left - text.count)
        }
        let rows = (-radius...radius).map { row in
            [1.0, -1.0].map { side in line(row, side, covered, progress.current, radius) }
                .joined(separator: "    ")
        }
        return [title("+z side") + "    " + title("-z side")] + rows
    }

    private static func line(
        _ row: Int, _ side: Double, _ covered: [Bool], _ current: Vector3?, _ radius: Int
    ) -> String {
        String(
            (-2 * radius...2 * radius).map { column in
                let x = -Double(row) / Double(radius)
                let y = Double(column) / Double(2 * radius)
                guard let direction = direction(x, y, side: side) else { return " " as Character }
                // Half a step of the raster, or there would be directions without a mark.
                if let current, current.dot(direction) > 1 - 0.7 / Double(radius * radius) { return "@" }
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
