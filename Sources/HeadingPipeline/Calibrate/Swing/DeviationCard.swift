/// The deviation table as a card for the chart table.
package struct DeviationCard: Hashable, Sendable {
    package var table: DeviationTable
    package var title: String

    package init(_ table: DeviationTable, title: String) {
        self.table = table
        self.title = title
    }

    private static let headings = stride(from: 0, to: 360, by: 15)

    private func row(_ heading: Int) -> (compass: String, deviation: String, magnetic: String) {
        let compass = Angle.degrees(Double(heading))
        return (
            Self.threeDigits(compass), Self.sided(table.deviation(at: compass)),
            Self.threeDigits(table.magnetic(compassHeading: compass))
        )
    }

    private static func threeDigits(_ angle: Angle) -> String {
        let degrees = Int(angle.foldedPositive.degrees.rounded()) % 360
        return String(repeating: "0", count: degrees < 10 ? 2 : degrees < 100 ? 1 : 0) + String(degrees)
    }

    /// As on paper cards: `4.0 E`.
    private static func sided(_ deviation: Angle) -> String {
        let text = decimalText(deviation.degrees.magnitude, places: 1)
        if text == "0.0" { return "0.0  " }
        return text + (deviation < .zero ? " W" : " E")
    }

    private var coefficients: String {
        [("A", table.a), ("B", table.b), ("C", table.c), ("D", table.d), ("E", table.e)]
            .map { "\($0.0) \(decimalText($0.1.degrees, places: 2))" }.joined(separator: "  ")
    }

    private var certainty: String {
        "known to \(decimalText(table.uncertainty.degrees, places: 1))° (1 sigma)"
    }

    package var text: String {
        let rows = Self.headings.map { heading in
            let row = row(heading)
            let gap = String(repeating: " ", count: 10 - row.deviation.count)
            return "    \(row.compass)\(gap)\(row.deviation)        \(row.magnetic)"
        }
        let head = ["Deviation card: \(title)", "", "compass  deviation   magnetic"]
        return (head + rows + ["", "\(coefficients)  degrees", certainty]).joined(separator: "\n") + "\n"
    }

    // MARK: SVG

    private static let width = 420
    private static let top = 60
    private static let rowHeight = 22
    /// Of the curve's axis, and of one degree beside it.
    private static let axis = 320.0

    private var degreeWidth: Double {
        let most = Self.headings.map { abs(table.deviation(at: .degrees(Double($0))).degrees) }.max() ?? 0
        return 80 / max(1, most.rounded(.up))
    }

    private func point(_ heading: Int) -> (x: Double, y: Double) {
        let deviation = table.deviation(at: .degrees(Double(heading))).degrees
        return (
            Self.axis + deviation * degreeWidth,
            Double(Self.top) + Double(heading) / 15 * Double(Self.rowHeight) + 20
        )
    }

    package var svg: String {
        let height = Self.top + 24 * Self.rowHeight + 80
        let curve = stride(from: 0, through: 345, by: 5).map { heading in
            let point = point(heading)
            return "\(decimalText(point.x, places: 1)),\(decimalText(point.y, places: 1))"
        }
        let lines = Self.headings.map(svgRow)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width)" height="\(height)" \
            font-family="sans-serif" font-size="13">
            <rect width="100%" height="100%" fill="white"/>
            <text x="20" y="26" font-size="16">Deviation card: \(title.escapedForXML)</text>
            <text x="20" y="\(Self.top)">compass</text><text x="90" y="\(Self.top)">deviation</text>
            <text x="170" y="\(Self.top)">magnetic</text>
            <text x="\(decimalText(Self.axis - 70, places: 0))" y="\(Self.top)">W</text>
            <text x="\(decimalText(Self.axis + 60, places: 0))" y="\(Self.top)">E</text>
            \(lines.joined(separator: "\n"))
            <line x1="\(decimalText(Self.axis, places: 0))" y1="\(Self.top + 10)" \
            x2="\(decimalText(Self.axis, places: 0))" y2="\(height - 70)" stroke="gray"/>
            <polyline points="\(curve.joined(separator: " "))" fill="none" stroke="black" stroke-width="2"/>
            <text x="20" y="\(height - 36)">\(coefficients) degrees</text>
            <text x="20" y="\(height - 16)">\(certainty)</text>
            </svg>

            """
    }

    private func svgRow(_ heading: Int) -> String {
        let row = row(heading)
        let y = decimalText(point(heading).y + 4, places: 0)
        return
            "<text x=\"30\" y=\"\(y)\">\(row.compass)</text><text x=\"100\" y=\"\(y)\">\(row.deviation)</text>"
            + "<text x=\"180\" y=\"\(y)\">\(row.magnetic)</text>"
    }
}

extension String {
    fileprivate var escapedForXML: String {
        map { character in
            switch character {
            case "<": "&lt;"
            case ">": "&gt;"
            case "&": "&amp;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
    }
}
