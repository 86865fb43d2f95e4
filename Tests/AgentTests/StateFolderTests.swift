import Glibc
import HeadingPipeline
import Testing

@testable import compass_mqtt

@Suite("The state folder")
final class StateFolderTests {
    private let root: String

    init() throws {
        var name = Array("/tmp/compass-state-XXXXXX".utf8CString)
        root = try #require(mkdtemp(&name).map { String(cString: $0) })
    }

    deinit {
        for name in ["state/agent.lock", "state/simulated/agent.lock", "state.conf.7.new", "file"] {
            unlink("\(root)/\(name)")
        }
        for name in ["state/simulated", "state", ""] { rmdir("\(root)/\(name)") }
    }

    /// Of a noncopyable value the macros cannot look at a member.
    private func found(_ folder: borrowing StateFolder) -> (isAnothers: Bool, fault: Errno?) {
        (folder.isAnothers, folder.fault)
    }

    @Test("is made where it is missing, and belongs to one agent at a time")
    func held() {
        do {
            let first = StateFolder(root + "/state")
            #expect(found(StateFolder(root + "/state")).isAnothers)
            let simulated = found(StateFolder(root + "/state/simulated"))
            #expect(!simulated.isAnothers && simulated.fault == nil)
            let mine = found(first)
            #expect(!mine.isAnothers && mine.fault == nil)
        }
        #expect(!found(StateFolder(root + "/state")).isAnothers)
    }

    @Test("is not made where two above it are missing, and says what is wrong")
    func nowhere() {
        let folder = found(StateFolder(root + "/a/b/c"))
        #expect(!folder.isAnothers && folder.fault == Errno(ENOENT))
        #expect(access(root + "/a", F_OK) != 0)
    }

    @Test("is cleared of what an earlier process has left half written, and of nothing else")
    func sweeps() throws {
        let gone = pid_t(4_194_999)
        let names = ["x.conf.\(gone).new", "x.conf.\(getpid()).new", "x.conf.1.new", "x.new", "x.conf"]
        for name in names { try AtomicFile.write([], to: "\(root)/\(name)") }
        AtomicFile.sweep(root)
        #expect(names.map { access("\(root)/\($0)", F_OK) == 0 } == [false, false, true, true, true])
        for name in names { unlink("\(root)/\(name)") }
    }

    @Test("of a simulated vessel is not the real one's")
    func simulated() {
        var settings = Settings()
        settings.agent.stateDirectory = "/x"
        #expect(RunCommand.keptApart(settings, isSimulated: true).agent.stateDirectory == "/x/simulated")
        #expect(RunCommand.keptApart(settings, isSimulated: false).agent.stateDirectory == "/x")
    }
}
