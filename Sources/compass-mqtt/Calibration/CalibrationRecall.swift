import HeadingPipeline
import Synchronization

/// Stands between the sources and the pipeline: when a magnetometer is opened, it gives the pipeline what was saved
/// for that sensor, and says what is in force.
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
        if case .opened(.magnetometer, let description?) = reading.content {
            recall(description.identity, at: reading.at)
        }
    }

    private func recall(_ sensor: String, at now: Instant) {
        do throws(CalibrationStore.Fault) {
            if let bytes = try store.bytes(of: sensor) {
                pipeline.take(Reading(at: now, .stored(.magnetometer, bytes)))
            }
        } catch {
            Log.warning("calibration: \(error)")
        }
        let notice = CalibrationNotice(pipeline.snapshot.calibrations, path: store.path(of: sensor))
        lastNotice.withLock { notice.log(after: &$0) }
        pipeline.hasNews()
    }
}
