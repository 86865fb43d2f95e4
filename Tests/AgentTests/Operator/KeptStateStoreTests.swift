import Glibc
import HeadingPipeline
import Testing

@testable import compass_mqtt

@Suite("The file of what is kept")
final class KeptStateStoreTests {
    private let folder: String
    private let store: KeptStateStore

    init() throws {
        var name = Array("/tmp/compass-kept-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&name).map { String(cString: $0) })
        store = KeptStateStore(stateDirectory: folder)
    }

    deinit {
        for name in ["state.conf", "state.conf.broken"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private func write(_ text: String) throws {
        try AtomicFile.write(Array(text.utf8), to: store.path)
    }

    @Test("is not there at first, and gives back what was saved")
    func saved() throws {
        #expect(try store.read() == KeptState())
        var state = KeptState()
        state.adopt(.steer(OrderedCourse(.degrees(120))))
        try store.save(state)
        #expect(store.recall() == KeptStateStore.Recalled(state: state))
    }

    @Test("is set aside where it is of no use", arguments: ["", "\u{0}garbage", "[steer]\ncourse = 400\n"])
    func damaged(text: String) throws {
        try write(text)
        #expect(throws: KeptStateStore.Fault.self) { try store.read() }
        #expect(store.recall() == KeptStateStore.Recalled())
        #expect(access(store.path, F_OK) != 0)
        let aside = try TextFile.read(store.path + ".broken", upTo: 1000)
        #expect(aside == Array(text.utf8))
    }

    @Test("cannot be saved where there is no folder, and nothing worse happens")
    func noFolder() {
        let nowhere = KeptStateStore(stateDirectory: folder + "/none")
        #expect(throws: Errno.self) { try nowhere.save(KeptState()) }
        #expect(nowhere.recall() == KeptStateStore.Recalled())
    }

    @Test("is put aside where it cannot be read, beside what was put aside before")
    func unreadable() {
        let names = ["\(folder)/state.conf.unreadable", "\(folder)/state.conf.unreadable.2"]
        for name in names {
            #expect(mkdir(store.path, 0o755) == 0)
            #expect(store.recall() == KeptStateStore.Recalled())
            #expect(access(name, F_OK) == 0)
        }
        for name in names { rmdir(name) }
    }

    @Test("is never written over where it can be neither read nor put aside")
    func immovable() throws {
        try write("")
        let below = KeptStateStore(stateDirectory: store.path)
        #expect(below.recall().obstacle != nil)
        #expect(below.recall().state == KeptState())
    }
}

@Suite("The queue of incoming messages")
struct IncomingQueueTests {
    private func message(_ topic: String, _ number: UInt8) -> IncomingMessage {
        IncomingMessage(topic: topic, payload: [number], isRetained: false, isStored: false)
    }

    @Test("of a row of commands it keeps the newest, in their order, and tells what it drops")
    func newest() throws {
        let queue = try IncomingQueue()
        queue.put(message("boat/reference/set", 0))
        for number in 1...100 { queue.put(message("boat/steer/set", UInt8(number))) }
        let waiting = queue.take()
        #expect(waiting.messages.map(\.topic.utf8.count).first == "boat/reference/set".utf8.count)
        #expect(waiting.messages.dropFirst().flatMap(\.payload) == Array(93...100))
        #expect(waiting.dropped.map(\.count) == [92])
        #expect(waiting.dropped.map(\.last) == [message("boat/steer/set", 92)])
        let rest = queue.take()
        #expect(rest.messages.isEmpty && rest.dropped.isEmpty)
    }

    @Test("is bounded, and what is no command takes no command's place")
    func bounded() throws {
        let queue = try IncomingQueue()
        for topic in CommandTopic.allCases { queue.put(message("boat/\(topic.rawValue)/set", 1)) }
        for number in 0..<200 { queue.put(message("boat/\(number)/set", 2)) }
        let waiting = queue.take()
        #expect(waiting.messages.filter { $0.payload == [1] }.count == CommandTopic.allCases.count)
        #expect(waiting.messages.count == CommandTopic.allCases.count + IncomingQueue.capacity)
        #expect(waiting.dropped.map(\.count) == [200 - IncomingQueue.capacity])
    }
}
