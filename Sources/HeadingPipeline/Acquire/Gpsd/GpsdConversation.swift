/// What gpsd's reports mean for the agent: which become readings, and whether there is a receiver at all. A
/// receiver counts as there from its first report on, not when gpsd merely lists it: it may be switched off.
/// Knows no socket; each connection is one ``begin()``.
package struct GpsdConversation {
    package enum Event: Sendable {
        case reading(Reading.Content)
        /// A line for the log.
        case notice(String)
    }

    private enum Status: Equatable {
        case unknown, online
        case offline(reason: String)
    }

    private let wanted: String?
    private var choice: ReceiverChoice
    private var limit = RateLimit.ofReports
    private var noticeLimit = RateLimit.ofNotices
    private var absenceLimit = RateLimit.ofNotices
    /// A flood is counted once a second, not report by report.
    private var nextOverrun = Instant(nanoseconds: .min)
    private var status = Status.unknown
    private var devices: Set<String> = []
    private var lastError: String?
    private var lastRelease: String?

    package init(device: String?) {
        wanted = device
        choice = ReceiverChoice(device: device)
    }

    /// Whether there is a receiver to hear from. While there is none, silence means nothing.
    package var hasReceiver: Bool { !devices.isEmpty || status == .online }

    package mutating func begin() { devices.removeAll() }

    /// The connection is gone, or never came to be.
    package mutating func lose(reason: String, _ give: (Event) -> Void) {
        change(to: .offline(reason: reason), give)
    }

    package mutating func take(_ piece: LineSplitter.Piece, at now: Instant, _ give: (Event) -> Void) {
        switch piece {
        case .lineTooLong: offer(.refused(.gps, .lineTooLong), at: now, give)
        case .line(let bytes): GpsdReport.forEach(in: bytes) { take($0, at: now, give) }
        }
    }

    private mutating func take(_ report: GpsdReport, at now: Instant, _ give: (Event) -> Void) {
        switch report {
        case .fix(let fix): take(fix, at: now, give)
        case .satellites(let report): if choice.takes(report) { offer(.satellites(report), at: now, give) }
        case .devices(let list):
            devices.removeAll()
            for device in list { take(device) }
            tellAbsence(at: now, give)
        case .device(let device):
            take(device)
            tellAbsence(at: now, give)
        case .error(let message):
            if message != lastError, noticeLimit.allows(at: now) { give(.notice("gpsd: \(message)")) }
            lastError = message
        case .refused(let reason): offer(.refused(.gps, reason), at: now, give)
        case .version(let release):
            if release != lastRelease, noticeLimit.allows(at: now) {
                give(.notice("gpsd: connected, release \(release)"))
            }
            lastRelease = release
        case .watch, .ignored: break
        }
    }

    private mutating func take(_ fix: GpsFix, at now: Instant, _ give: (Event) -> Void) {
        guard choice.isWanted(fix.device) else {
            return offer(.refused(.gps, .otherDevice), at: now, give)
        }
        change(to: .online, give)
        if choice.takes(fix, at: now) { offer(.fix(fix), at: now, give) }
    }

    private mutating func take(_ device: GpsdDevice) {
        if !device.isActive {
            devices.remove(device.path)
        } else if choice.isWanted(device.path), devices.count < Self.mostDevices {
            devices.insert(device.path)
        }
    }

    /// More than gpsd itself can watch.
    private static let mostDevices = 64

    /// A list that comes and goes between fixes is told a few times, then the fixes are believed.
    private mutating func tellAbsence(at now: Instant, _ give: (Event) -> Void) {
        let absence = Status.offline(reason: noDevice)
        guard devices.isEmpty, status != absence, absenceLimit.allows(at: now) else { return }
        change(to: absence, give)
    }

    private var noDevice: String { wanted.map { "no device \($0)" } ?? "no device" }

    private mutating func change(to new: Status, _ give: (Event) -> Void) {
        guard new != status else { return }
        status = new
        switch new {
        case .online: give(.reading(.opened(.gps, nil)))
        case .offline(let reason): give(.reading(.lost(.gps, reason: reason)))
        case .unknown: break
        }
    }

    private mutating func offer(_ content: Reading.Content, at now: Instant, _ give: (Event) -> Void) {
        if limit.allows(at: now) {
            give(.reading(content))
        } else if now >= nextOverrun {
            nextOverrun = now + .seconds(1)
            give(.reading(.refused(.gps, .overrun)))
        }
    }
}
