import CLinux
import Glibc
import HeadingPipeline

/// Messages to the broker, through the agent's own session.
final class PublishedMessages: ReplayOutput {
    private let signals: SignalDescriptor
    private let session: MQTTSession
    private let topics: PublishedTopics

    init(_ names: ReplayTopics, _ settings: Settings) throws(Errno) {
        signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
        let outbox = try Outbox()
        session = try MQTTSession(
            settings: settings.mqtt, clientId: names.clientId,
            statusTopic: "\(names.base)/\(Topic.status.path)", outbox: outbox)
        topics = PublishedTopics(outbox, base: names.base, settings: settings.publish)
        topics.clearUnjudged()
        try session.start()
    }

    func put(_ topic: Topic, _ payload: [UInt8]) { topics.put(topic, payload) }

    func flushIfFull() { topics.flush() }

    func wait(until moment: Instant) -> Bool {
        topics.flush()
        DescriptorWait.untilReadable([signals.descriptor.number], until: moment)
        return signals.next() == nil
    }

    /// Gives a broker that has not answered yet some time to take the last values.
    func finish() throws(ReplayError) {
        for source in Source.allCases { topics.putStatus(of: source, isOnline: false) }
        topics.flush()
        let limit = SystemClock.now() + .seconds(5)
        while session.snapshot.state != .connected, SystemClock.now() < limit {
            guard wait(until: SystemClock.now() + .milliseconds(50)) else { break }
        }
        guard session.stop(within: .seconds(5)) == .confirmed else {
            let reason = session.snapshot.reason.map { ": \($0)" } ?? ""
            throw ReplayError("the broker did not take the last message\(reason)")
        }
    }
}
