import HeadingPipeline

/// What the log says of the magnetometer's calibration when its device is opened; the same is said once.
struct CalibrationNotice: Equatable {
    private let text: String
    private let isWarning: Bool

    init(_ calibrations: VesselCalibration, path: String) {
        if let fault = calibrations.fault, !calibrations.isConfigured {
            text = "calibration: \(path): \(fault); uncalibrated until it is done again"
            isWarning = true
        } else if calibrations.isConfigured {
            text =
                calibrations.magneticRecord == nil
                ? "calibration: from the config's hard_iron and soft_iron"
                : "calibration: the config's hard_iron and soft_iron go before what was saved in \(path)"
            isWarning = false
        } else if let record = calibrations.magneticRecord, case .magnetic(let magnetic) = record.content {
            text = "calibration: \(path), \(magnetic.quality.rawValue)\(Self.date(record))"
            isWarning = false
        } else {
            text = "calibration: none saved in \(path); run compass-mqtt calibrate"
            isWarning = false
        }
    }

    private static func date(_ record: CalibrationRecord) -> String {
        guard let time = record.time else { return "" }
        var bytes: [UInt8] = []
        bytes.appendRFC3339(time)
        return " of " + String(decoding: bytes.prefix(10), as: UTF8.self)
    }

    func log(after last: inout CalibrationNotice?) {
        guard self != last else { return }
        last = self
        if isWarning { Log.warning(text) } else { Log.info(text) }
    }
}
