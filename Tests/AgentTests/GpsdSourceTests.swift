import Glibc
import HeadingPipeline
import Testing

@testable import compass_mqtt

private let fixReport = #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"lat":50.3,"lon":-4.2}"# + "\n"
private let devicesReport =
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","#
    + #""activated":"2026-11-30T12:00:00.000Z"}]}"# + "\n"
private let watchRequest = "?WATCH={\"enable\":true,\"json\":true};\n"

@Suite("gpsd connection", .serialized)
struct GpsdSourceTests {
    private let quick = GpsdSource.Patience(
        connect: .seconds(1), silence: .seconds(0.4), firstRetry: .seconds(0.02),
        longestRetry: .seconds(0.03),
        settled: .seconds(60))

    private func start(
        _ port: Int, host: String = "127.0.0.1", device: String? = nil, silence: Double = 0.4
    ) throws -> RunningSource {
        var settings = Settings().gps
        settings.host = host
        settings.port = port
        settings.device = device
        var patience = quick
        patience.silence = .seconds(silence)
        return try RunningSource(GpsdSource(settings: settings, patience: patience))
    }

    @Test("asks for reports and delivers fixes", arguments: ["127.0.0.1", "localhost", "::1"])
    func deliversFixes(host: String) throws {
        let server = try LoopbackServer(family: host == "::1" ? AF_INET6 : AF_INET)
        let source = try start(server.port, host: host)
        let peer = try server.accept()
        #expect(try peer.readLine() == watchRequest)
        try peer.send(devicesReport + fixReport)
        #expect(try source.next(isOpened))
        let fix = try source.next(fix)
        #expect(abs((fix.position?.latitude.degrees ?? 0) - 50.3) < 1e-9)
    }

    @Test("connects and watches again after the connection was closed or reset", arguments: [false, true])
    func reconnects(byReset: Bool) throws {
        let server = try LoopbackServer()
        let source = try start(server.port)
        for _ in 0..<3 {
            let peer = try server.accept()
            #expect(try peer.readLine() == watchRequest)
            try peer.send(fixReport)
            _ = try source.next(fix)
            if byReset { peer.reset() } else { peer.close() }
            let reason = try source.next(lossReason)
            #expect(byReset ? reason.contains("reset") : reason.contains("closed"))
        }
    }

    @Test("connects and watches again after silence with the socket open")
    func leavesASilentServer() throws {
        let server = try LoopbackServer()
        let source = try start(server.port)
        let silent = try server.accept()
        try silent.send(devicesReport + fixReport)
        _ = try source.next(fix)
        let next = try server.accept()
        #expect(try source.next(lossReason) == "gpsd is silent")
        #expect(try next.readLine() == watchRequest)
    }

    @Test("a silent receiver is reported once, not at each new attempt")
    func saysSilenceOnce() throws {
        let server = try LoopbackServer()
        let source = try start(server.port, silence: 0.1)
        var changes = 0
        for _ in 0..<4 {
            let peer = try server.accept()
            try peer.send(devicesReport)
            changes += source.all(for: 0.25).filter { lossReason($0) != nil || isOpened($0) != nil }.count
        }
        #expect(changes == 1)
    }

    @Test("no receiver is told at once, and its coming too; the quiet connection is kept")
    func tellsOfNoDevice() throws {
        let server = try LoopbackServer()
        let source = try start(server.port, silence: 0.2)
        let peer = try server.accept()
        _ = try peer.readLine()
        let start = SystemClock.now()
        try peer.send(#"{"class":"DEVICES","devices":[]}"# + "\n")
        #expect(try source.next(lossReason) == "no device")
        #expect(SystemClock.now() - start < .seconds(2))
        for _ in 0..<3 {
            #expect(try peer.readLine() == "?DEVICES;\n")
            try peer.send(#"{"class":"DEVICES","devices":[]}"# + "\n")
        }
        try peer.send(
            #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":"2026-11-30T12:00:00.000Z"}"# + "\n")
        try peer.send(fixReport)
        #expect(try source.next(isOpened))
    }

    @Test("a receiver that is unplugged is told once")
    func tellsOfALostDevice() throws {
        let server = try LoopbackServer()
        let source = try start(server.port)
        let peer = try server.accept()
        try peer.send(devicesReport + fixReport)
        _ = try source.next(fix)
        try peer.send(#"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"# + "\n")
        #expect(try source.next(lossReason) == "no device")
        try peer.send(fixReport)
        #expect(try source.next(isOpened))
    }

    @Test("a report in pieces of one byte and an endless line do no harm")
    func survivesBadFraming() throws {
        let server = try LoopbackServer()
        let source = try start(server.port)
        let peer = try server.accept()
        try peer.send(String(repeating: "x", count: 200_000))
        try peer.send("\n" + fixReport.dropLast() + "\r\n")
        #expect(try source.next(rejection) == .lineTooLong)
        _ = try source.next(fix)
        for byte in fixReport.utf8 { try peer.send(String(UnicodeScalar(byte))) }
        _ = try source.next(fix)
    }

    @Test("a flood is thinned out before it reaches the agent")
    func thinsAFlood() throws {
        let server = try LoopbackServer()
        let source = try start(server.port)
        let peer = try server.accept()
        let start = SystemClock.now()
        try peer.send(String(repeating: fixReport, count: 10_000))
        let delivered = source.all(for: 1).count
        let elapsed = (SystemClock.now() - start).seconds
        #expect(delivered <= 400 + Int(200 * elapsed) + 4)
        #expect(source.isAlive)
    }

    @Test("a hundred restarts leave no descriptor behind")
    func leaksNothing() throws {
        let server = try LoopbackServer()
        let source = try start(server.port)
        var before = 0
        for round in 0..<100 {
            let peer = try server.accept()
            try peer.send(fixReport)
            _ = try source.next(fix)
            if round == 10 { before = try openSockets(to: server.port) }
            if round == 99 { #expect(try openSockets(to: server.port) <= before) }
        }
    }

    @Test("a port that nobody listens on, or a name that does not exist, is a reason and not an end")
    func namesTheReason() throws {
        let port = try LoopbackServer().port
        let refused = try start(port)
        #expect(try refused.next(lossReason) == "gpsd: Connection refused")
        let unknown = try start(port, host: "nowhere.invalid")
        #expect(try unknown.next(within: 60, lossReason).hasPrefix("nowhere.invalid: "))
        let server = try LoopbackServer(port: port)
        _ = try server.accept().readLine()
    }

    @Test("stops at once, wherever it waits")
    func stops() throws {
        let server = try LoopbackServer()
        let source = try start(server.port, silence: 60)
        let peer = try server.accept()
        _ = try peer.readLine()
        source.stop()
        #expect(try peer.readLine(within: 1) == "")
    }
}

private func isOpened(_ content: Reading.Content) -> Bool? {
    if case .opened(.gps, _) = content { return true }
    return nil
}

private func fix(_ content: Reading.Content) -> GpsFix? {
    if case .fix(let fix) = content { return fix }
    return nil
}

private func lossReason(_ content: Reading.Content) -> String? {
    if case .lost(.gps, let reason) = content { return reason }
    return nil
}

private func rejection(_ content: Reading.Content) -> Rejection? {
    if case .refused(.gps, let reason) = content { return reason }
    return nil
}

/// Sockets of this process whose far end is `port`: the client ends of a test's connections.
private func openSockets(to port: Int) throws -> Int {
    (0..<1024).count { number in
        var bytes = [UInt8](repeating: 0, count: 128)
        var size = socklen_t(bytes.count)
        let result = bytes.withUnsafeMutableBytes {
            getpeername(Int32(number), $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
        }
        return result == 0 && Int(bytes[2]) << 8 | Int(bytes[3]) == port
    }
}
