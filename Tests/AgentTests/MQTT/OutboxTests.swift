import Glibc
import HeadingPipeline
import Synchronization
import Testing

@testable import compass_mqtt

@Suite("Outbox")
struct OutboxTests {
    private func makeSlots(_ outbox: Outbox, _ count: Int) -> [Outbox.Slot] {
        (0..<count).map { outbox.add(OutboundTopic(name: "t\($0)", stage: .value)) }
    }

    private func due(_ outgoing: OutgoingTopics) -> [String] {
        outgoing.order.filter { outgoing.topics[$0].isDue }.map {
            "\(outgoing.topics[$0].topic.name) \(String(decoding: outgoing.topics[$0].payload, as: UTF8.self))"
        }
    }

    @Test("the newest value of a topic wins, and what it replaced is counted")
    func newestWins() throws {
        let outbox = try Outbox()
        let slots = makeSlots(outbox, 2)
        var outgoing = OutgoingTopics(version: .v5)
        for text in ["1", "22", "333"] { outbox.put(slots[0], text) }
        outbox.put(slots[1], "x")
        outbox.take(into: &outgoing)
        #expect(due(outgoing) == ["t0 333", "t1 x"])
        #expect(outbox.supersededCount == 2)
    }

    @Test("stages keep their order whenever a topic is added; within a stage the order of adding counts")
    func order() throws {
        let outbox = try Outbox()
        var outgoing = OutgoingTopics(version: .v5)
        let stages: [(String, OutboundTopic.Stage)] = [
            ("value", .value), ("status", .status), ("discovery", .discovery), ("status2", .status),
            ("presence", .presence), ("value2", .value),
        ]
        for (name, stage) in stages {
            outbox.put(outbox.add(OutboundTopic(name: name, stage: stage)), "1")
            outbox.take(into: &outgoing)
        }
        let expected = ["discovery 1", "presence 1", "status 1", "status2 1", "value 1", "value2 1"]
        #expect(due(outgoing) == expected)
    }

    @Test("a topic that is added twice keeps its slot")
    func sameName() throws {
        let outbox = try Outbox()
        let topic = OutboundTopic(name: "a", stage: .value)
        #expect(outbox.add(topic) == outbox.add(topic))
    }

    @Test("what no broker keeps does not wait for the next connection: a command would come late")
    func momentsPass() throws {
        let outbox = try Outbox()
        let kept = outbox.add(OutboundTopic(name: "kept", stage: .value))
        let moment = outbox.add(OutboundTopic(name: "moment", stage: .value, isRetained: false))
        var outgoing = OutgoingTopics(version: .v5)
        outbox.put(kept, "a")
        outbox.putOnce(moment, Array("b".utf8))
        outbox.take(into: &outgoing)
        outgoing.forgetMoments()
        outgoing.makeAllDue()
        #expect(due(outgoing) == ["kept a"])
        #expect(outgoing.dueCount == 1)
        outbox.putOnce(moment, Array("c".utf8))
        outbox.take(into: &outgoing)
        #expect(due(outgoing) == ["kept a", "moment c"])
    }

    @Test("after a connect everything with a value is due again, but what was removed is not")
    func allDue() throws {
        let outbox = try Outbox()
        let slots = makeSlots(outbox, 4)
        var outgoing = OutgoingTopics(version: .v5)
        outbox.put(slots[0], "a")
        outbox.clear(slots[1])
        outbox.put(slots[2], "c")
        outbox.remove(slots[2])
        outbox.take(into: &outgoing)
        #expect(due(outgoing) == ["t0 a", "t1 ", "t2 "])
        for index in 0...2 { outgoing.wasSent(at: index) }
        #expect(outgoing.dueCount == 0)
        outgoing.makeAllDue()
        #expect(due(outgoing) == ["t0 a", "t1 "])
        #expect(outgoing.dueCount == 2)
    }

    @Test("on request everything with a value is sent again, and a sleeping reader is woken for it")
    func sendAgain() throws {
        let outbox = try Outbox()
        let slots = makeSlots(outbox, 3)
        var outgoing = OutgoingTopics(version: .v5)
        outbox.put(slots[0], "a")
        outbox.put(slots[1], "b")
        outbox.take(into: &outgoing)
        for index in 0...1 { outgoing.wasSent(at: index) }
        #expect(outbox.mayReaderSleep())
        outbox.sendAllAgain()
        #expect(isSignalled(outbox))
        #expect(!outbox.mayReaderSleep())
        outbox.take(into: &outgoing)
        #expect(due(outgoing) == ["t0 a", "t1 b"])
        for index in 0...1 { outgoing.wasSent(at: index) }
        outbox.take(into: &outgoing)
        #expect(due(outgoing) == [])
        #expect(outbox.mayReaderSleep())
    }

    @Test("storage goes back and forth: nothing is allocated once both sides have enough")
    func storageReuse() throws {
        let outbox = try Outbox()
        let slot = makeSlots(outbox, 1)[0]
        var outgoing = OutgoingTopics(version: .v5)
        var addresses: Set<UInt> = []
        let payload = [UInt8](repeating: 65, count: 200)
        for round in 0..<100 {
            outbox.put(slot, Array(payload.prefix(100 + round)))
            outbox.take(into: &outgoing)
            if round >= 2 {
                outgoing.topics[0].payload.withUnsafeBytes {
                    _ = addresses.insert(UInt(bitPattern: $0.baseAddress))
                }
            }
            outgoing.wasSent(at: 0)
        }
        // 100, then 200 bytes: each side may have grown once or twice, and then no more.
        #expect(addresses.count <= 4)
    }

    @Test("a sleeping reader is woken once for a batch, an awake one not at all")
    func wakeups() throws {
        let outbox = try Outbox()
        let slot = makeSlots(outbox, 1)[0]
        var outgoing = OutgoingTopics(version: .v5)
        outbox.put(slot, "1")
        outbox.flush()
        #expect(!isSignalled(outbox))
        #expect(!outbox.mayReaderSleep())
        outbox.take(into: &outgoing)
        #expect(outbox.mayReaderSleep())
        outbox.flush()
        #expect(!isSignalled(outbox))
        outbox.put(slot, "2")
        outbox.flush()
        #expect(isSignalled(outbox))
        outbox.wakeup.clear()
        outbox.put(slot, "3")
        outbox.flush()
        #expect(!isSignalled(outbox))
    }

    @Test("with a writer and a reader at full speed, values only move forward and the last one arrives")
    func concurrency() throws {
        let outbox = try Outbox()
        let slots = makeSlots(outbox, 3)
        let rounds = 20_000
        try Thread.start("writer") {
            for round in 1...rounds {
                for slot in slots { outbox.put(slot, String(round)) }
                outbox.flush()
            }
        }
        var outgoing = OutgoingTopics(version: .v5)
        var last = [0, 0, 0]
        let limit = SystemClock.now() + Interval.seconds(20)
        while last != [rounds, rounds, rounds], SystemClock.now() < limit {
            outbox.take(into: &outgoing)
            for index in outgoing.topics.indices where outgoing.topics[index].isDue {
                let value = Int(String(decoding: outgoing.topics[index].payload, as: UTF8.self)) ?? -1
                #expect(value > last[index])
                last[index] = value
                outgoing.wasSent(at: index)
            }
            if last != [rounds, rounds, rounds], outbox.mayReaderSleep() { outbox.wakeup.wait(until: limit) }
        }
        #expect(last == [rounds, rounds, rounds])
    }

    @Test("without a broker it keeps one value a topic and no more memory, however many come")
    func outage() throws {
        let outbox = try Outbox()
        let slots = makeSlots(outbox, 20)
        let payload = [UInt8](repeating: 48, count: 150)
        for slot in slots { outbox.put(slot, payload) }
        let before = outbox.reservedBytes
        #expect(before >= 20 * 150)
        for _ in 0..<10_000 { for slot in slots { outbox.put(slot, payload) } }
        #expect(outbox.reservedBytes == before)
        var outgoing = OutgoingTopics(version: .v5)
        outbox.take(into: &outgoing)
        #expect(outgoing.dueCount == 20)
    }

    private func isSignalled(_ outbox: Outbox) -> Bool {
        var entry = pollfd(fd: outbox.wakeup.descriptor.number, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }
}

@Suite("A lent connection")
struct DirectLaneTests {
    /// A connected pair of sockets: what is sent into the near one can be read from the far one.
    private struct Pair: ~Copyable {
        let near: Descriptor
        let far: Descriptor

        init() throws {
            var numbers: [Int32] = [0, 0]
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            try Errno.check { socketpair(AF_UNIX, kind, 0, &numbers) }
            near = Descriptor(owning: numbers[0])
            far = Descriptor(owning: numbers[1])
        }

        borrowing func received() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = bytes.withUnsafeMutableBytes { read(far.number, $0.baseAddress, $0.count) }
            return Array(bytes.prefix(max(0, count)))
        }
    }

    private let value = OutboundTopic(name: "a/b", stage: .value)
    private let status = OutboundTopic(name: "s", stage: .status, qos: 1)

    private func lane(_ socket: Int32, _ topics: [OutboundTopic]) -> DirectLane {
        DirectLane(
            socket: socket, longestPacket: 1000,
            topics: topics.map {
                .init(head: $0.qos == 0 ? PublishHead.make($0, version: .v311) : nil, isRetained: true)
            }, batch: PublishBatch())
    }

    @Test("takes a value without waking the session, which keeps it for the next connection")
    func direct() throws {
        let outbox = try Outbox()
        let slot = outbox.add(value)
        let pair = try Pair()
        let mayReaderSleep = outbox.mayReaderSleep(lending: lane(pair.near.number, [value]))
        #expect(mayReaderSleep)
        outbox.put(slot, "x1")
        outbox.flush()
        // PUBLISH, retained, QoS 0: 0x31, length 7, the topic's length 3 and name, payload (MQTT 3.1.1, 3.3).
        let bytes = pair.received()
        #expect(bytes == [0x31, 7, 0, 3, 0x61, 0x2f, 0x62, 0x78, 0x31])
        let returned = try #require(outbox.takeLaneBack())
        #expect(returned.sent == 1)
        var outgoing = OutgoingTopics(version: .v311)
        outbox.take(into: &outgoing)
        #expect(outgoing.dueCount == 0)
        outgoing.makeAllDue()
        #expect(outgoing.topics.map(\.isDue) == [true])
        #expect(outgoing.topics[0].payload == Array("x1".utf8))
    }

    @Test("does not take a status, and nothing that comes with one")
    func statusGoesThroughTheSession() throws {
        let outbox = try Outbox()
        let slots = [outbox.add(value), outbox.add(status)]
        let pair = try Pair()
        _ = outbox.mayReaderSleep(lending: lane(pair.near.number, [value, status]))
        for slot in slots { outbox.put(slot, "x") }
        outbox.flush()
        let bytes = pair.received()
        #expect(bytes.isEmpty)
        var outgoing = OutgoingTopics(version: .v311)
        outbox.take(into: &outgoing)
        #expect(outgoing.dueCount == 2)
    }

    @Test("that broke leaves the value to the session")
    func broken() throws {
        let outbox = try Outbox()
        let slot = outbox.add(value)
        let pair = try Pair()
        shutdown(pair.near.number, Int32(SHUT_RDWR))
        _ = outbox.mayReaderSleep(lending: lane(pair.near.number, [value]))
        outbox.put(slot, "x")
        outbox.flush()
        #expect(outbox.takeLaneBack()?.sent == 0)
        var outgoing = OutgoingTopics(version: .v311)
        outbox.take(into: &outgoing)
        #expect(outgoing.dueCount == 1)
    }

    @Test("that is full keeps the rest, in order, for the session to finish")
    func full() throws {
        let outbox = try Outbox()
        let slot = outbox.add(value)
        let pair = try Pair()
        _ = outbox.mayReaderSleep(
            lending: DirectLane(
                socket: pair.near.number, longestPacket: 10_000_000,
                topics: [.init(head: PublishHead.make(value, version: .v311), isRetained: true)],
                batch: PublishBatch()))
        outbox.put(slot, [UInt8](repeating: 65, count: 5_000_000))
        outbox.flush()
        let returned = try #require(outbox.takeLaneBack())
        #expect(returned.batch.isPending)
        let bytes = pair.received()
        #expect(!bytes.isEmpty)
    }
}
