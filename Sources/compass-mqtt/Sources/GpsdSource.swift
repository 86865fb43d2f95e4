import HeadingPipeline

/// Fixes from gpsd's socket. Connects, asks for reports, reads them, and connects again when the connection ends
/// or falls silent.
struct GpsdSource: ReadingSource {
    /// How long to wait for what; shorter in tests.
    struct Patience: Sendable {
        var connect = Interval.seconds(5)
        /// gpsd sends at least once a second while a receiver works.
        var silence = Interval.seconds(15)
        var firstRetry = Interval.seconds(1)
        var longestRetry = Interval.seconds(30)
        /// A connection that held so long was a good one: the next try need not wait long.
        var settled = Interval.seconds(5)
        /// A name service may take several times its own timeout.
        var resolve = Interval.seconds(90)
    }

    let settings: Settings.Gps
    var patience = Patience()

    init(settings: Settings.Gps, patience: Patience = Patience()) {
        self.settings = settings
        self.patience = patience
    }

    func run(_ line: SourceLine) {
        var visit = GpsdVisit(settings: settings, patience: patience, line: line)
        var pause = patience.firstRetry
        while !line.isStopping {
            let start = SystemClock.now()
            visit.lose(visit.run())
            if SystemClock.now() - start > patience.settled, visit.wasAnswered { pause = patience.firstRetry }
            if line.wait(until: SystemClock.now() + pause) == .stopping { return }
            pause = min(pause * 2, patience.longestRetry)
        }
    }
}

/// One connection to gpsd after another, with what lasts from each to the next.
private struct GpsdVisit: ~Copyable {
    private let settings: Settings.Gps
    private let patience: GpsdSource.Patience
    private let line: SourceLine
    private var conversation: GpsdConversation
    private var splitter = LineSplitter()
    private var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    /// The last connection brought something.
    private(set) var wasAnswered = false

    init(settings: Settings.Gps, patience: GpsdSource.Patience, line: SourceLine) {
        self.settings = settings
        self.patience = patience
        self.line = line
        conversation = GpsdConversation(device: settings.device)
    }

    mutating func lose(_ reason: String) {
        if line.isStopping { return }
        let line = line
        conversation.lose(reason: reason) { Self.pass($0, to: line) }
    }

    /// Connects and reads until that is over; tells why.
    mutating func run() -> String {
        wasAnswered = false
        line.expectProgress(within: patience.resolve)
        do throws(ResolveError) {
            var reason = "no address"
            for address in try SocketAddress.resolve(host: settings.host, port: settings.port) {
                reason = visit(address)
                if wasAnswered || line.isStopping { break }
            }
            return reason
        } catch {
            return "\(settings.host): \(error)"
        }
    }

    private mutating func visit(_ address: SocketAddress) -> String {
        do throws(Errno) {
            let stream = try TcpStream.connecting(to: address)
            let deadline = SystemClock.now() + patience.connect
            let wake = line.wait(until: deadline, readable: stream.descriptor.number, writable: true)
            guard wake == .readable else { return "gpsd does not answer" }
            try stream.finishConnecting()
            // All receivers, even where the settings name one: gpsd refuses to watch one that is not there yet.
            try stream.send("?WATCH={\"enable\":true,\"json\":true};\n")
            return try listen(to: stream)
        } catch {
            return "gpsd: \(error)"
        }
    }

    private mutating func listen(to stream: borrowing TcpStream) throws(Errno) -> String {
        conversation.begin()
        splitter.reset()
        var isAsked = false
        while true {
            let deadline = SystemClock.now() + patience.silence
            switch line.wait(until: deadline, readable: stream.descriptor.number) {
            case .stopping: return "stopping"
            case .timeout:
                if conversation.hasReceiver || isAsked { return "gpsd is silent" }
                // Without a receiver silence is right; but a gpsd that hangs would be silent too.
                try stream.send("?DEVICES;\n")
                isAsked = true
            case .readable:
                if try receive(from: stream) == .closed { return "gpsd closed the connection" }
                isAsked = false
            }
        }
    }

    private mutating func receive(from stream: borrowing TcpStream) throws(Errno) -> TcpStream.Received {
        let result = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(Errno) in try stream.receive(into: bytes) }
        }
        let received = try result.get()
        guard case .bytes(let count) = received else { return received }
        wasAnswered = true
        take(count)
        return received
    }

    private mutating func take(_ count: Int) {
        let now = SystemClock.now()
        let line = line
        buffer.withUnsafeBytes { bytes in
            splitter.consume(UnsafeRawBufferPointer(rebasing: bytes[..<count])) { piece in
                conversation.take(piece, at: now) { Self.pass($0, to: line, at: now) }
            }
        }
    }

    private static func pass(
        _ event: GpsdConversation.Event, to line: SourceLine, at now: Instant = SystemClock.now()
    ) {
        switch event {
        case .notice(let text): Log.info(text)
        case .reading(let content): line.deliver(content, at: now)
        }
    }
}
