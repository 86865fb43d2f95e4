import HeadingPipeline
import Testing

@Suite("Throttle")
struct ThrottleTests {
    static func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    /// Feeds headings to one channel's rule and gives back what went out, with its time.
    struct Line {
        var throttle: Throttle
        let deadband: Double
        var sent: [(at: Int64, value: Double)] = []
        var newest = 0.0

        init(interval: Double, heartbeat: Double, deadband: Double) {
            throttle = Throttle(.init(interval: .seconds(interval), heartbeat: .seconds(heartbeat)))
            self.deadband = deadband
        }

        mutating func take(_ value: Double, at milliseconds: Int64) {
            newest = value
            let difference = sent.last.map { abs(value - $0.value) }
            let change: Throttle.Change =
                difference.map { $0 >= deadband ? .large : $0 < 0.05 ? .none : .small } ?? .urgent
            if throttle.take(change, at: ThrottleTests.at(milliseconds)) {
                sent.append((milliseconds, value))
            }
        }

        mutating func flush(at milliseconds: Int64) {
            if throttle.flush(at: ThrottleTests.at(milliseconds)) { sent.append((milliseconds, newest)) }
        }
    }

    @Test("the end of a fast movement is out within the interval")
    func trailingFlush() {
        var line = Line(interval: 1, heartbeat: 60, deadband: 1)
        for step in 0...4 { line.take(Double(step) * 11.25, at: Int64(step) * 50) }
        for time in stride(from: Int64(250), through: 1300, by: 10) { line.flush(at: time) }
        #expect(line.sent.map(\.value) == [0, 45])
        #expect(line.sent[1].at <= 1200)
    }

    @Test("a movement that ends within the deadband is told its end once")
    func settling() {
        var line = Line(interval: 0.2, heartbeat: 60, deadband: 1)
        line.take(0, at: 0)
        line.take(2, at: 300)
        line.take(2.6, at: 350)
        for time in stride(from: Int64(400), through: 10_000, by: 50) { line.take(2.6, at: time) }
        #expect(line.sent.map(\.value) == [0, 2, 2.6])
    }

    @Test("what is urgent again and again neither floods the topic nor puts off what follows")
    func flickering() {
        var throttle = Throttle(.init(interval: .seconds(0.1), heartbeat: .seconds(60)))
        var sent = 0
        for step in 0..<200 where throttle.take(.urgent, at: Self.at(Int64(step) * 50)) { sent += 1 }
        #expect((90...110).contains(sent))
        let wasSent = throttle.take(.large, at: Self.at(10_010))
        #expect(wasSent || throttle.flush(at: Self.at(10_110)))
    }

    @Test("moored with noise: a message a heartbeat and hardly more, for an hour")
    func moored() {
        var line = Line(interval: 0.2, heartbeat: 60, deadband: 1)
        var random = SystemRandomNumberGenerator()
        for step in 0..<72_000 {
            line.take(Double.random(in: -0.3...0.3, using: &random), at: Int64(step) * 50)
        }
        #expect(line.sent.count <= 65 && line.sent.count >= 59)
    }

    @Test("never more than one message an interval over any time, for a value that always moves")
    func rate() {
        var line = Line(interval: 0.1, heartbeat: 60, deadband: 0)
        for step in 0..<1000 { line.take(Double(step), at: Int64(step) * 50 + Int64(step % 3) - 1) }
        #expect((490...501).contains(line.sent.count))
    }

    @Test("what is urgent does not wait")
    func urgent() {
        var throttle = Throttle(.init(interval: .seconds(10), heartbeat: .seconds(60)))
        let sent = [
            throttle.take(.urgent, at: Self.at(0)), throttle.take(.large, at: Self.at(100)),
            throttle.take(.urgent, at: Self.at(200)),
        ]
        #expect(sent == [true, false, true])
    }
}
