import HeadingPipeline

/// `compass-mqtt declination`: the magnetic model by itself, for one place or for many.
enum DeclinationCommand {
    static func run(_ arguments: inout ArgumentReader) throws(UsageError) -> ExitStatus {
        let style: DeclinationReport.Style? = arguments.flag("--json") ? .json : nil
        let height = try arguments.option("--height")
        let date = try arguments.option("--date")
        guard let latitude = try arguments.next() else { throw UsageError("declination needs LAT LON, or -") }
        if latitude == "-" {
            guard height == nil, date == nil else {
                throw UsageError("with - height and date stand in each line, not in options")
            }
            try arguments.finish()
            return runLines(style: style ?? .columns)
        }
        guard let longitude = try arguments.next() else { throw UsageError("declination needs LON") }
        try arguments.finish()
        let query = try FieldQuery(latitude: latitude, longitude: longitude, height: height, date: date)
        answer(query, style: style ?? .people)
        return .done
    }

    private static func runLines(style: DeclinationReport.Style) -> ExitStatus {
        var number = 0
        var status = ExitStatus.done
        while let line = readLine() {
            number += 1
            do throws(UsageError) {
                if let query = try FieldQuery(line: line) { answer(query, style: style, lineNumber: number) }
            } catch {
                StandardStream.error.writeLine("compass-mqtt: line \(number): \(error.reason)")
                status = .failed
            }
        }
        return status
    }

    private static func answer(_ query: FieldQuery, style: DeclinationReport.Style, lineNumber: Int? = nil) {
        let report = DeclinationReport(query)
        StandardStream.output.writeLine(report.text(style))
        guard let doubt = report.doubt else { return }
        let place = lineNumber.map { "line \($0): " } ?? ""
        StandardStream.error.writeLine("compass-mqtt: \(place)\(doubt)")
    }
}
