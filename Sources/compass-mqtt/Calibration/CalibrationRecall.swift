import HeadingPipeline
import Synchronization

/// Stands between the sources and the pipeline: when a magnetometer or accelerometer is opened, it gives the pipeline
/// what was saved for that sensor, and says what is in force.
final class CalibrationRecall: ReadingSink {
    private let pipeline: LivePipeline
    private let store: CalibrationStore
    private let lastNotice = Mutex<CalibrationNotice?>(nil)

    init(_ store: CalibrationStore, for pipeline: LivePipeline) {
        self.store = store
        self.pipeline = pipeline
    }

    func take(_ reading: Reading) {
        pipeline.take(reading)
        guard case .opened(let source, let description?) = reading.content,
            source == .magnetometer || source == .accelerometer
        else { return }
        recall(description.identity, for: source, at: reading.at)
        if source == .magnetometer { tell(of: description.identity) }
    }

    private func recall(_ sensor: String, for source: Source, at now: Instant) {
        do throws(CalibrationStore.Fault) {
            if let bytes = try store.bytes(of: sensor) {
                pipeline.take(Reading(at: now, .stored(source, bytes)))
            }
        } catch {
            Log.warning("calibration: \(error)")
        }
        pipeline.noteNews()
    }

    private func tell(of sensor: String) {
        let notice = CalibrationNotice(pipeline.snapshot.calibrations, path: store.path(of: sensor))
        lastNotice.withLock { notice.log(after: &$0) }
    }
}
