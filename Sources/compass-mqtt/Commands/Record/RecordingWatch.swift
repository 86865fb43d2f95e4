import Glibc
import HeadingPipeline

/// Takes a feed's readings into a recording until a signal ends it, the time is over, or the disk takes no more.
final class RecordingWatch {
    private let signals: SignalDescriptor
    private let recorder: Recorder
    private var batch: [Reading] = []
    /// Whether any sensor or receiver gave anything.
    private(set) var hasHeard = false

    /// To be made before the feed, whose threads must not take the signals.
    init(_ recorder: Recorder) throws(Errno) {
        signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
        self.recorder = recorder
    }

    func run(_ feed: any ReadingFeed, for duration: Interval?) throws(FeedFault) {
        let end = duration.map { SystemClock.now() + $0 }
        defer { recorder.stop(within: .seconds(5)) }
        while signals.next() == nil, recorder.failure == nil {
            let now = SystemClock.now()
            if let end, now >= end { break }
            DescriptorWait.untilReadable(
                [feed.descriptor, signals.descriptor.number],
                until: min(end ?? now + .seconds(1), now + .seconds(1)))
            try feed.take(into: &batch)
            for reading in batch {
                recorder.take(reading)
                tell(reading)
            }
        }
    }

    private func tell(_ reading: Reading) {
        switch reading.content {
        case .opened(let source, let description):
            Log.info("\(source.name): opened\(description.map { " (\($0.identity))" } ?? "")")
        case .lost(let source, let reason): Log.warning("\(source.name): \(reason)")
        case .sample, .compass, .fix: hasHeard = true
        default: break
        }
    }
}
