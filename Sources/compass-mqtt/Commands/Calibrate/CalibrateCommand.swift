import HeadingPipeline

/// `calibrate`: learns the magnetometer's calibration, from live samples or from a file.
enum CalibrateCommand {
    static func run(_ arguments: inout ArgumentReader) throws(UsageError) -> ExitStatus {
        let options = try CalibrateOptions(&arguments)
        return CloudCalibration.run(options)
    }
}
