/// Which sources there are, so that Home Assistant is shown no entity that never comes. The magnetometer and the
/// receiver are there when they are configured: a missing one is worth seeing. An accelerometer or a gyroscope is there
/// once it has been found; one that the run before had is waited for.
package struct SourcePresence: Sendable {
    /// A sensor that has not been found for so long is not there any more.
    package static let patience = Interval.seconds(120)

    private let configured: Set<Source>
    private let remembered: Set<Source>
    private let start: Instant
    private var found: Set<Source> = []

    package init(settings: Settings, remembered: Set<Source>, at start: Instant) {
        configured = Set(Source.allCases.filter { settings.wants($0) })
        self.remembered = remembered
        self.start = start
    }

    package mutating func look(_ sources: SourceTable, at now: Instant) -> Set<Source> {
        for source in Source.allCases where sources[source].isFound { found.insert(source) }
        let awaited = now - start < Self.patience ? remembered : []
        return found.union(configured.intersection(awaited.union([.magnetometer, .gps])))
    }
}

extension SourceMonitor {
    fileprivate var isFound: Bool { description != nil || isOnline }
}

extension Settings {
    fileprivate func wants(_ source: Source) -> Bool {
        switch source {
        case .magnetometer: magnetometer.sensor.device != .none
        case .accelerometer: accelerometer.device != .none
        case .gyroscope: gyroscope.device != .none
        case .gps: gps.isEnabled
        }
    }
}
