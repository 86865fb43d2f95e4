import Glibc
import HeadingPipeline

/// `calibrate --from FILE`: the fit of what somebody has in a file, a recording or a table.
enum CloudCalibration {
    /// Of a table; a hundred times what a careful hour gives. A recording may be of any size.
    private static let largestTable = 64 * 1024 * 1024

    static func run(_ options: CloudOptions, configFile: String?, isJSON: Bool) -> ExitStatus {
        do throws(ReplayError) {
            let (fit, report) = try result(options, configFile)
            StandardStream.output.write(isJSON ? report.json : report.text)
            return fit.isUsable ? .done : .failed
        } catch {
            StandardStream.error.writeLine("compass-mqtt: \(options.file): \(error.description)")
            return error.status
        }
    }

    private static func result(
        _ options: CloudOptions, _ configFile: String?
    ) throws(ReplayError) -> (CalibrationFit, CalibrationReport) {
        let file = try RecordingInput.open(options.file)
        let beginning = try read(file, upTo: 64)
        if RecordingHead.isBeginning(beginning) {
            return try recorded(RecordingInput(file, after: beginning), options, configFile)
        }
        return tabled(beginning + (try read(file, upTo: largestTable)), options)
    }

    /// A pipe gives a few bytes at a time.
    private static func read(_ file: borrowing Descriptor, upTo limit: Int) throws(ReplayError) -> [UInt8] {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: min(limit, 65_536), alignment: 1)
        defer { chunk.deallocate() }
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let rest = UnsafeMutableRawBufferPointer(rebasing: chunk.prefix(limit - bytes.count))
            do throws(Errno) {
                let count = try file.read(into: rest)
                if count == 0 { break }
                bytes += rest[..<count]
            } catch {
                throw ReplayError("\(error)")
            }
        }
        return bytes
    }

    // MARK: A recording

    private static func recorded(
        _ input: consuming RecordingInput, _ options: CloudOptions, _ configFile: String?
    ) throws(ReplayError) -> (CalibrationFit, CalibrationReport) {
        let config = try ReplayCommand.configured(configFile)
        var input = input
        guard case .head(let head) = try input.next() else { throw ReplayError("is empty") }
        var calibration = try RecordedCalibration(options, head, config: config)
        try calibration.take(&input)
        let fit = calibration.fit
        return (fit, calibration.report(fit))
    }

    // MARK: A table

    private static func tabled(
        _ bytes: [UInt8], _ options: CloudOptions
    ) -> (CalibrationFit, CalibrationReport) {
        let cloud = CloudFile(String(decoding: bytes, as: UTF8.self), unit: options.unit)
        let isOfKnownSize = cloud.unit != .counts
        let fit = CalibrationFitter(expected: options.expected)
            .fit(cloud.samples, isLevelTurn: options.isLevelTurn)
        let report = CalibrationReport(
            fit, source: options.file, unit: isOfKnownSize ? "µT" : "counts", notes: notes(cloud, fit))
        return (fit, report)
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
