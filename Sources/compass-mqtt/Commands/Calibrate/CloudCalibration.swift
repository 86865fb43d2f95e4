import HeadingPipeline

/// `calibrate --from FILE`: the fit of a cloud that somebody has in a file.
enum CloudCalibration {
    /// Of a cloud's file; a hundred times what a careful hour gives.
    private static let largestFile = 64 * 1024 * 1024

    static func run(_ options: CloudOptions, isJSON: Bool) -> ExitStatus {
        do throws(TextFile.Fault) {
            let cloud = CloudFile(try text(options.file), unit: options.unit)
            return report(cloud, options, isJSON: isJSON)
        } catch {
            StandardStream.error.writeLine("compass-mqtt: \(options.file): \(error)")
            return .failed
        }
    }

    private static func text(_ path: String) throws(TextFile.Fault) -> String {
        if path == "-" {
            var lines: [String] = []
            while lines.count < CloudFile.mostSamples, let line = readLine() { lines.append(line) }
            return lines.joined(separator: "\n")
        }
        return String(decoding: try TextFile.read(path, upTo: largestFile), as: UTF8.self)
    }

    private static func report(
        _ cloud: CloudFile, _ options: CloudOptions, isJSON: Bool
    ) -> ExitStatus {
        let isOfKnownSize = cloud.unit != .counts
        let fit = CalibrationFitter(expected: options.expected).fit(cloud.samples)
        let report = CalibrationReport(
            fit, source: options.file, unit: isOfKnownSize ? "µT" : "counts", notes: notes(cloud, fit))
        StandardStream.output.write(isJSON ? report.json : report.text)
        return fit.isUsable ? .done : .failed
    }

    /// The strengths that the field has on Earth, with room for what a wrong scale does.
    private static let plausible = FluxDensity.microtesla(15)...FluxDensity.microtesla(90)

    private static func notes(_ cloud: CloudFile, _ fit: CalibrationFit) -> [String] {
        var notes: [String] = []
        if cloud.skippedLines > 0 {
            notes.append("\(cloud.skippedLines) lines hold no vector and were left out")
        }
        if cloud.unit == nil { notes.append("the file names no unit: taken for microtesla (see --unit)") }
        let raw = fit.scale.map { fit.strength / $0 } ?? fit.strength
        if cloud.unit != .counts, raw > .zero, !plausible.contains(raw), !fit.shape.isLevelTurn {
            notes.append("the raw strength is no strength of the Earth's field: is the unit right?")
        }
        if fit.scale == nil {
            notes.append("no place is known, so the scale is left as it is (see --place)")
        }
        return notes
    }
}
