import Glibc
import HeadingPipeline

/// The file in the state folder with what operators have set by commands, and the trip.
struct KeptStateStore: Sendable {
    let path: String

    init(stateDirectory: String) { path = stateDirectory + "/state.conf" }

    /// The file is there, but is of no use.
    struct Fault: Error, CustomStringConvertible {
        let path: String
        let reason: String
        /// It could be read, and is not what it should be.
        let isContent: Bool
        var description: String { "\(path): \(reason)" }
    }

    /// What is kept; nothing where there is no file.
    func read() throws(Fault) -> KeptState {
        let bytes: [UInt8]
        do throws(TextFile.Fault) { bytes = try TextFile.read(path, upTo: KeptState.largestSize + 1) } catch {
            if error.isMissing { return KeptState() }
            throw Fault(path: path, reason: error.description, isContent: false)
        }
        do throws(KeptStateFault) { return try KeptState(parsing: bytes) } catch {
            throw Fault(path: path, reason: error.description, isContent: true)
        }
    }

    /// The same for the agent, which goes on whatever the file is like: one that is of no use, or cannot be read, is
    /// put aside, for a person to look at, and never written over.
    func recall() -> Recalled {
        do throws(Fault) { return Recalled(state: try read()) } catch {
            let aside = freeName(error.isContent ? ".broken" : ".unreadable")
            let isAside = rename(path, aside) == 0
            Log.warning(
                "\(error): commands and trip of earlier runs are not in force; "
                    + (isAside ? "the file is now \(aside)" : "nothing is kept, lest it be written over"))
            return Recalled(obstacle: isAside ? nil : "\(error)")
        }
    }

    struct Recalled: Equatable {
        var state = KeptState()
        /// Why nothing may be written in the place of what is there.
        var obstacle: String?

        static func anothers(_ folder: String) -> Recalled {
            Recalled(obstacle: "\(folder): another agent keeps its state there")
        }
    }

    /// What was put aside before stays, too.
    private func freeName(_ ending: String) -> String {
        let names = [""] + (2...9).map { ".\($0)" }
        return path + ending + (names.first { access(path + ending + $0, F_OK) != 0 } ?? "")
    }

    func save(_ state: KeptState) throws(Errno) { try AtomicFile.write(Array(state.text.utf8), to: path) }
}
