import Glibc
import HeadingPipeline

/// The readings of the agent that runs, by way of its control socket.
final class AgentFeed: ReadingFeed {
    let origin = "the running agent's own samples"
    private let lines: ControlLines
    private var readings: [Reading] = []
    private var replies: [String] = []

    private static let patience = Interval.seconds(10)

    /// Throws where no agent answers.
    init(stateDirectory: String) throws(Errno) {
        lines = ControlLines(try UnixSocket.connect(ControlServer.path(stateDirectory: stateDirectory)))
        lines.send("watch\n".utf8)
    }

    var descriptor: Int32 { lines.descriptor }

    func take(into batch: inout [Reading]) throws(FeedFault) {
        receive()
        batch.removeAll(keepingCapacity: true)
        swap(&batch, &readings)
        if lines.isClosed { throw FeedFault("the agent has ended; nothing is changed") }
    }

    private func receive() {
        for line in lines.receive() {
            let reading = line.withUnsafeBytes { bytes in try? Reading(line: bytes) }
            if let reading {
                readings.append(reading)
            } else {
                replies.append(String(decoding: line, as: UTF8.self))
            }
        }
    }

    func save(_ record: CalibrationRecord, behind: Bool) throws(FeedFault) -> String {
        let text = CalibrationArchive([record]).text
        guard let path = try ask("\(behind ? "keep" : "save")\n\(text)\n.\n") else {
            throw FeedFault("the agent did not save it")
        }
        return path
    }

    func restore(_ kind: CalibrationRecord.Kind, of sensor: String) throws(FeedFault) -> String? {
        try ask("restore \(kind.rawValue) \(sensor)\n")
    }

    /// The path in the agent's answer; `nil`: there is nothing to go back to.
    private func ask(_ command: String) throws(FeedFault) -> String? {
        receive()
        replies.removeAll()
        lines.send(command.utf8)
        let deadline = SystemClock.now() + Self.patience
        while replies.isEmpty, !lines.isClosed, SystemClock.now() < deadline {
            DescriptorWait.untilReadable(descriptor, until: deadline)
            lines.flush()
            receive()
        }
        guard let reply = replies.first else { throw FeedFault("the agent does not answer") }
        if reply.hasPrefix("ok ") { return String(reply.dropFirst(3)) }
        if reply == "none" { return nil }
        throw FeedFault("the agent: \(reply)")
    }

    func stop() {}
}
