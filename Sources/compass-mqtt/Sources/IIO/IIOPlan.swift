import HeadingPipeline
import Synchronization

/// Which thread reads which device for what.
///
/// Each of the three sensors has a thread, but a device may serve for several and can be read by one alone: the
/// thread of the first of them, in the order of ``Source``. All threads look for devices through one plan, so that
/// they agree.
final class IIOPlan: Sendable {
    let settings: Settings
    /// One search at a time; reading goes on meanwhile.
    private let searching = Mutex<Void>(())
    private let state = Mutex(State())
    private let generation = Atomic<Int>(0)

    private struct State {
        var serving: [Source: Service] = [:]
        /// What has been opened, and since when it is away.
        var known: [Source: (identity: String, awaySince: Instant?)] = [:]

        var said: Set<String> = []
        /// What each device wants of a timer that several may share.
        var timerRates: [String: [AttributeFolder: Double]] = [:]

        func isRead(_ source: Source) -> Bool { known[source].map { $0.awaySince == nil } ?? false }

        /// The identities that nothing else may replace.
        func loyalties(at now: Instant) -> [Source: String] {
            known.compactMapValues { device in
                guard let since = device.awaySince else { return device.identity }
                return now - since < IIOPlan.loyalty ? device.identity : nil
            }
        }
    }

    /// What one sensor is read from.
    struct Service: Equatable {
        var folder: AttributeFolder
        var kind: IIOChannel.Kind
    }

    /// So long nothing else takes the place of a device that has gone.
    static let loyalty = Interval.seconds(60)

    init(_ settings: Settings) { self.settings = settings }

    /// Looked at afresh: the kernel's folder may come with the first driver.
    var root: IIORoot { IIORoot(settings.magnetometer.iioRoot) }

    enum Answer {
        case read(Assignment)
        /// Another thread reads the device for this sensor too.
        case elsewhere
        case missing(String)
    }

    struct Assignment {
        var device: IIODevice
        var channels: [IIOChannel]
        var reasons: [Source: String]
        var services: [Source: Service]
    }

    /// Changes whenever what is to be read from where does.
    var currentGeneration: Int { generation.load(ordering: .relaxed) }

    /// Looks at the devices there are and tells the thread of `source` what to read.
    func assignment(for source: Source, at now: Instant) -> Answer {
        searching.withLock { _ in
            let known = state.withLock { $0.loyalties(at: now) }
            let selection = DeviceSelection(from: root.devices(), settings, known: known)
            let serving = update(selection)
            guard let own = serving[source], let choice = selection[source] else {
                return .missing(selection[source]?.reason ?? "no device")
            }
            let shared = Source.allCases.filter { serving[$0]?.folder == own.folder }
            guard shared.first == source, let device = choice.device else { return .elsewhere }
            let choices = shared.compactMap { role in selection[role].map { (role, $0) } }
            return .read(
                Assignment(
                    device: device, channels: choices.compactMap(\.1.channel),
                    reasons: Dictionary(choices.map { ($0, $1.reason) }) { first, _ in first },
                    services: serving.filter { $0.value.folder == own.folder }))
        }
    }

    /// Whether the thread may go on with what it was told.
    func stillHolds(_ assignment: Assignment) -> Bool {
        state.withLock { state in
            state.serving.filter { $0.value.folder == assignment.device.folder } == assignment.services
        }
    }

    func opened(_ assignment: Assignment) {
        state.withLock { state in
            for source in assignment.services.keys { state.known[source] = (assignment.device.identity, nil) }
        }
    }

    /// A device that is gone loses its place; one that is only closed keeps it.
    func closed(_ assignment: Assignment, isGone: Bool, at now: Instant) {
        state.withLock { state in
            for source in assignment.services.keys {
                if isGone { state.serving[source] = nil }
                state.known[source]?.awaySince = now
            }
        }
    }

    /// Whether this is said for the first time.
    func isNews(_ text: String) -> Bool { state.withLock { $0.said.insert(text).inserted } }

    /// How fast a timer must go for all that hang on it.
    func timerRate(_ trigger: String, for device: AttributeFolder, _ rate: Double) -> Double {
        state.withLock { state in
            state.timerRates[trigger, default: [:]][device] = rate
            return state.timerRates[trigger]?.values.max() ?? rate
        }
    }

    /// A device that is being read keeps its place even if its attributes could not be read just now.
    private func update(_ selection: DeviceSelection) -> [Source: Service] {
        state.withLock { state in
            var serving: [Source: Service] = [:]
            for source in Source.allCases {
                if let choice = selection[source], let device = choice.device, let channel = choice.channel {
                    serving[source] = Service(folder: device.folder, kind: channel.kind)
                } else if state.isRead(source) {
                    serving[source] = state.serving[source]
                }
            }
            if serving != state.serving {
                state.serving = serving
                generation.add(1, ordering: .relaxed)
            }
            return serving
        }
    }
}
