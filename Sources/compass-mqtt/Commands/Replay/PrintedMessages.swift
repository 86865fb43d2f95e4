import Glibc
import HeadingPipeline

/// Messages as lines `topic payload` on standard output, many at a time.
final class PrintedMessages: ReplayOutput {
    private let topics: [[UInt8]]
    private var lines: [UInt8] = []
    private static let capacity = 64 * 1024

    init(base: String) {
        topics = Topic.allCases.map { Array("\(base)/\($0.path) ".utf8) }
        lines.reserveCapacity(Self.capacity * 2)
    }

    func put(_ topic: Topic, _ payload: [UInt8]) {
        lines.append(contentsOf: topics[topic.rawValue])
        lines.append(contentsOf: payload)
        lines.append(UInt8(ascii: "\n"))
    }

    func flush() throws(ReplayError) {
        guard lines.withUnsafeBytes({ StandardStream.output.write($0) }) else {
            throw ReplayError("standard output takes no more: \(Errno())")
        }
        lines.removeAll(keepingCapacity: true)
    }

    func flushIfFull() throws(ReplayError) {
        if lines.count >= Self.capacity { try flush() }
    }

    func wait(until moment: Instant) throws(ReplayError) -> Bool {
        try flush()
        DescriptorWait.untilReadable([], until: moment)
        return true
    }

    func finish() throws(ReplayError) { try flush() }
}
