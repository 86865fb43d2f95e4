import CLinux
import Glibc
import HeadingPipeline
import Synchronization

/// The agent's local control socket, by which a calibration gets the agent's own readings and hands back what it has
/// learned. docs/calibration.md describes the lines.
final class ControlServer: Sendable {
    private let watchers: ReadingWatchers
    /// Where a calibration that has changed is put in force.
    private let sink: any ReadingSink
    private let store: CalibrationStore
    private let path: String
    private let listener: Descriptor
    private let stopping = Atomic<Bool>(false)

    static func path(stateDirectory: String) -> String { stateDirectory + "/control.sock" }

    /// `nil` where no socket can be had, which is said; the agent goes on without.
    static func start(
        _ watchers: ReadingWatchers, sink: any ReadingSink, store: CalibrationStore, stateDirectory: String
    ) -> ControlServer? {
        let path = path(stateDirectory: stateDirectory)
        do throws(Errno) {
            let server = ControlServer(watchers, sink, store, path, try UnixSocket.listen(path))
            try Thread.start("control") { server.run() }
            return server
        } catch {
            switch error.code {
            case EADDRINUSE:
                Log.warning(
                    "another agent runs with \(path): give each an agent.id and agent.state_dir of its own")
            // A card that is kept read-only is so on purpose.
            case EROFS: Log.debug("no control socket \(path): \(error)")
            default: Log.info("no control socket \(path): \(error)")
            }
            return nil
        }
    }

    private init(
        _ watchers: ReadingWatchers, _ sink: any ReadingSink, _ store: CalibrationStore, _ path: String,
        _ listener: consuming Descriptor
    ) {
        self.watchers = watchers
        self.sink = sink
        self.store = store
        self.path = path
        self.listener = listener
    }

    func stop() {
        unlink(path)
        stopping.store(true, ordering: .relaxed)
        watchers.wakeup.signal()
    }

    // MARK: On the thread of its own

    private func run() {
        var clients: [ControlClient] = []
        while !stopping.load(ordering: .relaxed) {
            wait(clients)
            watchers.wakeup.clear()
            if clients.count < Self.mostClients, let socket = UnixSocket.accept(listener) {
                clients.append(ControlClient(socket))
            }
            let pending = watchers.takePending()
            for client in clients {
                if client.isWatching, !pending.isEmpty { client.lines.send(pending) }
                client.lines.flush()
                for line in client.lines.receive() { answer(client, line) }
            }
            clients.removeAll { $0.lines.isClosed }
            watchers.expect(clients.contains { $0.isWatching })
        }
    }

    /// A calibration or two and a recording; far from what the process may open.
    private static let mostClients = 8

    private func wait(_ clients: [ControlClient]) {
        // Those beyond wait in the kernel's queue, and cost nothing there.
        let door = clients.count < Self.mostClients ? listener.number : -1
        var entries = [watchers.wakeup.descriptor.number, door].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        entries += clients.map {
            let output = $0.lines.hasOutput ? POLLOUT : 0
            return pollfd(fd: $0.lines.descriptor, events: Int16(POLLIN | output), revents: 0)
        }
        _ = poll(&entries, nfds_t(entries.count), -1)
    }

    private func answer(_ client: ControlClient, _ line: [UInt8]) {
        switch client.take(line) {
        case .watch:
            // Before it learns what stands: what comes meanwhile is not lost to it.
            watchers.expect(true)
            welcome(client)
        case .save(let text, let behind): client.reply(save(text, behind: behind))
        case .restore(let kind, let sensor): client.reply(restore(kind, sensor))
        case .unknown: client.reply(.failure("unknown command"))
        case .incomplete: break
        }
    }

    private func welcome(_ client: ControlClient) {
        let (opened, fix) = watchers.standing
        var lines: [UInt8] = []
        for reading in opened {
            lines.appendLine(reading)
            if case .opened(let source, let description?) = reading.content,
                let bytes = try? store.bytes(of: description.identity)
            {
                lines.appendLine(Reading(at: reading.at, .stored(source, bytes)))
            }
        }
        if let fix { lines.appendLine(fix) }
        client.lines.send(lines)
    }

    // MARK: What was learned

    private func save(_ text: [UInt8], behind: Bool) -> ControlClient.Reply {
        do throws(ArchiveFault) {
            let records = try CalibrationArchive(parsing: text).records
            guard records.count == 1, let record = records.first else { return .failure("not one record") }
            return change(record.kind, of: record.sensor) { store throws(CalibrationStore.Fault) in
                try store.add(record, behind: behind)
                return true
            }
        } catch {
            return .failure(error.description)
        }
    }

    private func restore(_ kind: CalibrationRecord.Kind, _ sensor: String) -> ControlClient.Reply {
        change(kind, of: sensor) { store throws(CalibrationStore.Fault) in
            try store.restore(kind, of: sensor) != nil
        }
    }

    /// Changes the file of a sensor and puts it in force, for the very sensor alone.
    private func change(
        _ kind: CalibrationRecord.Kind, of sensor: String,
        _ change: (CalibrationStore) throws(CalibrationStore.Fault) -> Bool
    ) -> ControlClient.Reply {
        do throws(CalibrationStore.Fault) {
            guard try change(store) else { return .nothing }
            if let bytes = try store.bytes(of: sensor) {
                sink.take(Reading(at: SystemClock.now(), .stored(kind.source, bytes)))
            }
            Log.info("calibration: \(kind.rawValue) of \(sensor) has changed")
            return .done(store.path(of: sensor))
        } catch {
            return .failure(error.description)
        }
    }
}

extension CalibrationRecord.Kind {
    /// Whose sensor it belongs to.
    var source: Source { self == .level ? .accelerometer : .magnetometer }
}
