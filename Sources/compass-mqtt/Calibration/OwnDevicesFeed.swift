import HeadingPipeline

/// The devices read by this very process, while no agent does.
final class OwnDevicesFeed: ReadingFeed {
    let origin: String
    private let inbox: FeedInbox
    private let lines: [SourceLine]
    private let store: CalibrationStore
    private let lock: SensorLock?
    private var lastClock = Instant(nanoseconds: 0)

    init(_ sources: [any ReadingSource], origin: String, store: CalibrationStore, lock: consuming SensorLock?)
        throws(Errno)
    {
        self.origin = origin
        self.store = store
        self.lock = lock
        inbox = try FeedInbox()
        var lines: [SourceLine] = []
        for source in sources {
            let line = try SourceLine(sink: inbox)
            lines.append(line)
            try Thread.start("source") { source.run(line) }
        }
        self.lines = lines
    }

    var descriptor: Int32 { inbox.wakeup.descriptor.number }

    func take(into batch: inout [Reading]) {
        inbox.takeAll(into: &batch)
        recall(&batch)
        let now = SystemClock.now()
        guard now - lastClock >= .seconds(1) else { return }
        lastClock = now
        batch.insert(Reading(at: now, .clock(SystemClock.wallTime())), at: 0)
    }

    /// What was saved for a sensor follows its opening, as in the agent.
    private func recall(_ batch: inout [Reading]) {
        for index in batch.indices.reversed() {
            guard case .opened(let source, let description?) = batch[index].content,
                let bytes = try? store.bytes(of: description.identity)
            else { continue }
            batch.insert(Reading(at: batch[index].at, .stored(source, bytes)), at: index + 1)
        }
    }

    func save(_ record: CalibrationRecord, behind: Bool) throws(FeedFault) -> String {
        do throws(CalibrationStore.Fault) {
            try store.add(record, behind: behind)
            return store.path(of: record.sensor)
        } catch {
            throw FeedFault(error.description)
        }
    }

    func restore(_ kind: CalibrationRecord.Kind, of sensor: String) throws(FeedFault) -> String? {
        do throws(CalibrationStore.Fault) {
            return try store.restore(kind, of: sensor) == nil ? nil : store.path(of: sensor)
        } catch {
            throw FeedFault(error.description)
        }
    }

    func stop() { for line in lines { line.requestStop() } }
}
