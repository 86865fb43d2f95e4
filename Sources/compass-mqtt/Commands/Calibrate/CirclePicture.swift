import HeadingPipeline

/// The circle of a level turn: where in the plane of the turn the field has come from, seen from the sensor.
struct CirclePicture {
    let radius: Int

    func lines(_ progress: CalibrationProgress) -> [String] {
        [""]
            + (-radius...radius).map { row in
                String((-2 * radius...2 * radius).map { mark(row, $0, progress.circle) })
            }
    }

    private func mark(_ row: Int, _ column: Int, _ circle: CircleCoverage?) -> Character {
        let x = -Double(row) / Double(radius)
        let y = Double(column) / Double(2 * radius)
        let length = (x * x + y * y).squareRoot()
        guard length <= 1.01, length > 1 - 1.3 / Double(radius) else { return " " }
        guard let circle else { return "." }
        let sector = circle.sector(x, y)
        if sector == circle.current { return "@" }
        return circle.isVisited[sector] ? "o" : "."
    }
}
