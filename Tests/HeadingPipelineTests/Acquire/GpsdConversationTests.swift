import HeadingPipeline
import Testing

@Suite("Conversation with gpsd")
struct GpsdConversationTests {
    private static func fix(_ device: String, mode: Int = 3, latitude: Double = 50) -> String {
        #"{"class":"TPV","device":""# + device + #"","mode":"# + "\(mode)"
            + (mode < 2 ? "}" : #","lat":"# + "\(latitude)" + #","lon":-4}"#)
    }
    private static let activeA =
        #"{"class":"DEVICES","devices":[{"path":"/dev/a","activated":"2026-11-30T12:00:00Z"}]}"#

    @Test("of two receivers the one with a fix is taken, and the position does not flap")
    func staysWithTheFix() {
        var listener = Listener(device: nil)
        for _ in 0..<20 {
            listener.hear(Self.fix("/dev/b", mode: 1))
            listener.hear(Self.fix("/dev/a"))
            listener.wait(.milliseconds(500))
        }
        // Before the first fix there is nobody to stay with.
        #expect(listener.devices == ["/dev/b"] + Array(repeating: "/dev/a", count: 20))
    }

    @Test("of two receivers with a fix the first is taken; the other after the first has had none for 3 s")
    func changesOver() {
        var listener = Listener(device: nil)
        for _ in 0..<5 {
            listener.hear(Self.fix("/dev/a"), Self.fix("/dev/b", latitude: 51))
            listener.wait(.seconds(1))
        }
        #expect(Set(listener.devices) == ["/dev/a"])
        for _ in 0..<6 {
            listener.hear(Self.fix("/dev/a", mode: 1), Self.fix("/dev/b", latitude: 51))
            listener.wait(.seconds(1))
        }
        #expect(listener.devices.suffix(2) == ["/dev/b", "/dev/b"])
        #expect(listener.devices.filter { $0 == "/dev/b" }.count == 3)
        listener.hear(Self.fix("/dev/a"))
        #expect(listener.devices.last == "/dev/b")
    }

    @Test("only the receiver of the settings is heard; the others are counted, and say nothing of satellites")
    func filtersByDevice() {
        var listener = Listener(device: "/dev/a")
        listener.hear(Self.fix("/dev/b"), Self.fix("/dev/a", mode: 1), Self.fix("/dev/b"))
        listener.hear(
            #"{"class":"SKY","device":"/dev/b","uSat":7}"#, #"{"class":"SKY","device":"/dev/a","uSat":3}"#)
        #expect(listener.devices == ["/dev/a"])
        #expect(listener.rejections == [.otherDevice, .otherDevice])
        #expect(listener.satellites == [3])
        #expect(listener.changes == ["opened"])
    }

    @Test("satellites are those of the receiver whose fixes are taken")
    func satellitesOfTheChosen() {
        var listener = Listener(device: nil)
        listener.hear(Self.fix("/dev/a"), #"{"class":"SKY","device":"/dev/b","uSat":0}"#)
        listener.hear(#"{"class":"SKY","device":"/dev/a","uSat":11}"#)
        #expect(listener.satellites == [11])
    }

    @Test(
        "no receiver is a reason of its own",
        arguments: [
            (nil, #"{"class":"DEVICES","devices":[]}"#, "no device"),
            (nil, #"{"class":"DEVICES","devices":[{"path":"/dev/a"}]}"#, "no device"),
            ("/dev/b", activeA, "no device /dev/b"),
        ] as [(String?, String, String)])
    func noDevice(wanted: String?, report: String, reason: String) {
        var listener = Listener(device: wanted)
        listener.hear(report, report)
        #expect(listener.changes == ["lost: \(reason)"])
        #expect(!listener.conversation.hasReceiver)
    }

    @Test("each change of state is told once")
    func tellsChangesOnly() {
        var listener = Listener(device: nil)
        listener.hear(Self.activeA, Self.fix("/dev/a"), Self.fix("/dev/a"))
        listener.hear(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#)
        listener.lose("gpsd is silent")
        listener.lose("gpsd is silent")
        listener.hear(Self.activeA, Self.fix("/dev/a", mode: 1))
        #expect(listener.changes == ["opened", "lost: no device", "lost: gpsd is silent", "opened"])
    }

    @Test("an error of gpsd and its release are noted once")
    func notesOnce() {
        var listener = Listener(device: nil)
        for _ in 0..<3 {
            listener.hear(
                #"{"class":"VERSION","release":"3.22"}"#,
                #"{"class":"ERROR","message":"Unrecognized request"}"#)
        }
        #expect(listener.notices == ["gpsd: connected, release 3.22", "gpsd: Unrecognized request"])
    }

    @Test("a flood passes thinned out, a usual stream whole")
    func limitsTheRate() {
        var flood = Listener(device: nil)
        for _ in 0..<10_000 {
            flood.hear(Self.fix("/dev/a"))
            flood.wait(.milliseconds(1))
        }
        #expect((2000...2500).contains(flood.devices.count))
        #expect((8...10).contains(flood.rejections.filter { $0 == .overrun }.count))
        var usual = Listener(device: nil)
        for _ in 0..<2000 {
            usual.hear(Self.fix("/dev/a"))
            usual.wait(.milliseconds(20))
        }
        #expect(usual.devices.count == 2000)
    }
}

private struct Listener {
    var conversation: GpsdConversation
    var now = Instant(nanoseconds: 0)
    var devices: [String] = []
    var satellites: [Int] = []
    var rejections: [Rejection] = []
    var changes: [String] = []
    var notices: [String] = []

    init(device: String?) { conversation = GpsdConversation(device: device) }

    mutating func wait(_ time: Interval) { now = now + time }

    mutating func hear(_ lines: String...) {
        for line in lines {
            var events: [GpsdConversation.Event] = []
            Array(line.utf8).withUnsafeBytes { bytes in
                conversation.take(.line(bytes), at: now) { events.append($0) }
            }
            events.forEach { note($0) }
        }
    }

    mutating func lose(_ reason: String) {
        var events: [GpsdConversation.Event] = []
        conversation.lose(reason: reason) { events.append($0) }
        events.forEach { note($0) }
    }

    private mutating func note(_ event: GpsdConversation.Event) {
        switch event {
        case .notice(let text): notices.append(text)
        case .reading(.fix(let fix)): devices.append(fix.device ?? "")
        case .reading(.satellites(let report)): if let used = report.used { satellites.append(used) }
        case .reading(.refused(_, let reason)): rejections.append(reason)
        case .reading(.opened): changes.append("opened")
        case .reading(.lost(_, let reason)): changes.append("lost: \(reason)")
        case .reading: break
        }
    }
}
