/// One report of gpsd's JSON protocol (gpsd_json(5)), as far as the agent has a use for it.
package enum GpsdReport: Hashable, Sendable {
    case fix(GpsFix)
    case satellites(SatelliteReport)
    /// All receivers that gpsd knows.
    case devices([GpsdDevice])
    /// One receiver came, changed or went.
    case device(GpsdDevice)
    case version(release: String)
    case watch(isEnabled: Bool)
    /// gpsd could not do what was asked.
    case error(String)
    /// A report that says nothing of use here (ATT, GST, PPS, ...).
    case ignored
    case refused(Rejection)

    /// Parses one line. There is one report in it as a rule, but several are taken as they come.
    package static func forEach(in line: UnsafeRawBufferPointer, _ take: (GpsdReport) -> Void) {
        let isWhole = JSONObject.forEach(in: line) { take(GpsdReport($0)) }
        if !isWhole { take(.refused(.badReport)) }
    }

    private init(_ object: JSONObject) {
        switch object.string("class") {
        case "TPV": self = GpsFix.report(object)
        case "SKY": self = .satellites(SatelliteReport(object))
        case "DEVICES": self = .devices((object.objects("devices") ?? []).compactMap(GpsdDevice.init))
        case "DEVICE": self = GpsdDevice(object).map(GpsdReport.device) ?? .refused(.badReport)
        case "VERSION": self = .version(release: object.string("release") ?? "unknown")
        case "WATCH": self = .watch(isEnabled: object.flag("enable") ?? false)
        case "ERROR": self = .error(object.string("message") ?? "unknown error")
        case nil: self = .refused(.badReport)
        default: self = .ignored
        }
    }
}

/// A receiver as gpsd names it.
package struct GpsdDevice: Hashable, Sendable {
    package var path: String
    /// gpsd has it open. One that is configured but unplugged has no time of activation, or 0.
    package var isActive: Bool

    package init(path: String, isActive: Bool) {
        self.path = path
        self.isActive = isActive
    }

    init?(_ object: JSONObject) {
        guard let path = object.string("path"), !path.isEmpty else { return nil }
        let isActive = object.string("activated") != nil || (object.number("activated") ?? 0) > 0
        self.init(path: path, isActive: isActive)
    }
}

extension SatelliteReport {
    /// Without `uSat`, and without a list to count in, the report has no count: gpsd sends several reports an
    /// epoch, and some hold dilutions of precision only.
    init(_ object: JSONObject) {
        let list = object.objects("satellites")
        let used = object.number("uSat").flatMap(Int.init(exactly:)) ?? list.map(Self.countUsed)
        let visible = object.number("nSat").flatMap(Int.init(exactly:)) ?? list?.count
        self.init(
            device: object.string("device"), used: used.flatMap(Self.plausible),
            visible: visible.flatMap(Self.plausible))
    }

    private static func countUsed(_ satellites: [JSONObject]) -> Int {
        satellites.count { $0.flag("used") == true }
    }

    private static func plausible(_ count: Int) -> Int? { (0...1000).contains(count) ? count : nil }
}
