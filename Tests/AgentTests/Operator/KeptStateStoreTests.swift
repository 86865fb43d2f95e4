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
        #expect(store.recall() == state)
    }

    @Test("is set aside where it is of no use", arguments: ["", "\u{0}garbage", "[steer]\ncourse = 400\n"])
    func damaged(text: String) throws {
        try write(text)
        #expect(throws: KeptStateStore.Fault.self) { try store.read() }
        #expect(store.recall() == KeptState())
        #expect(access(store.path, F_OK) != 0)
        let aside = try TextFile.read(store.path + ".broken", upTo: 1000)
        #expect(aside == Array(text.utf8))
    }

    @Test("cannot be saved where there is no folder, and nothing worse happens")
    func noFolder() {
        let nowhere = KeptStateStore(stateDirectory: folder + "/none")
        #expect(throws: Errno.self) { try nowhere.save(KeptState()) }
        #expect(nowhere.recall() == KeptState())
    }
}

@Suite("The queue of incoming messages")
struct IncomingQueueTests {
    @Test("is bounded, and counts what it drops")
    func bounded() throws {
        let queue = try IncomingQueue()
        for number in 0..<100 {
            queue.put(
                IncomingMessage(topic: "\(number)", payload: [], isRetained: false, isStored: false))
        }
        let (messages, dropped) = queue.take()
        #expect(messages.map(\.topic) == (0..<IncomingQueue.capacity).map(String.init))
        #expect(dropped == 100 - IncomingQueue.capacity)
        #expect(queue.take().messages.isEmpty)
    }
}
