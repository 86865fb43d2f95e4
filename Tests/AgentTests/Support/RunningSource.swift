import CLinux
import Glibc
import HeadingPipeline

@testable import compass_mqtt

/// A source on a thread of its own, and what it delivered.
final class RunningSource {
    private let inbox: Inbox
    private let line: SourceLine
    private var batch: [Reading] = []
    private var waiting: [Reading.Content] = []

    init(_ source: some ReadingSource) throws {
        inbox = try Inbox()
        let line = try SourceLine(sink: inbox)
        self.line = line
        try Thread.start("source") { source.run(line) }
    }

    deinit { line.requestStop() }

    var isAlive: Bool { line.isAlive(at: SystemClock.now()) }

    func stop() { line.requestStop() }

    /// The next reading for which `pick` gives something; those before it are dropped.
    func next<Value>(within seconds: Double = 10, _ pick: (Reading.Content) -> Value?) throws -> Value {
        let deadline = SystemClock.now() + .seconds(seconds)
        while true {
            while !waiting.isEmpty {
                if let value = pick(waiting.removeFirst()) { return value }
            }
            let left = (deadline - SystemClock.now()).seconds
            guard left > 0 else { throw TimedOut() }
            var entry = pollfd(fd: inbox.wakeup.descriptor.number, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, Int32(left * 1000))
            _ = inbox.takeAll(into: &batch)
            waiting += batch.map(\.content)
        }
    }

    /// All that came within `seconds`.
    func all(for seconds: Double) -> [Reading.Content] {
        var contents: [Reading.Content] = []
        let _: Never? = try? next(within: seconds) {
            contents.append($0)
            return nil
        }
        return contents
    }
}
