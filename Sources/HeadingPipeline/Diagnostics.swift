/// What an operator looks at when something is missing: rates, ages, counters by reason, and why a source is
/// offline.
package struct Diagnostics: Sendable {
    package struct Broker: Hashable, Sendable {
        package var connects: UInt64
        package var messages: UInt64
        /// Why there is no connection, or why the last one ended; `nil` once one has held for a while.
        package var lastFault: String?

        package init(connects: UInt64, messages: UInt64, lastFault: String?) {
            self.connects = connects
            self.messages = messages
            self.lastFault = lastFault
        }
    }

    package var time: UTCTime?
    package var at: Instant
    package var version: String
    package var libraries: String
    package var uptime: Interval
    package var sources: SourceTable
    package var rates: SourceRates
    package var rejections: RejectionCounts
    /// Short words for what needs the operator's eye.
    package var warnings: [Warning]
    package var broker: Broker
    /// `nil` while the agent takes none.
    package var commands: Commands?

    /// What came of the operators' messages.
    package struct Commands: Hashable, Sendable {
        package var accepted: UInt64
        package var refused: UInt64

        package init(accepted: UInt64, refused: UInt64) {
            self.accepted = accepted
            self.refused = refused
        }
    }

    package enum Warning: Hashable, Sendable {
        /// 1 sigma, where turning has shown an offset.
        case uncalibrated(offsetKnownTo: FluxDensity?)
        /// The saved calibration is there, but cannot be understood.
        case calibrationUnreadable(ArchiveFault)
        /// Strength, dip or course have drifted away from what the calibration should make of them.
        case calibrationSuspect(CalibrationWatch.Drift)
        case interference
        /// Measured over expected strength.
        case scaleSuspect(Double)
        case polaritySuspect
        case axesSuspect
        case saturated
        case frozen
        case accelerometerFrozen
        case gyroscopeFrozen
        case gyroscopeContradicted
        case zeroField
        case modelExpired
        /// The receiver's date was put right by so many epochs of 1024 weeks.
        case receiverWeekRollover(epochs: Int)
        /// Why nothing lasts a restart.
        case nothingKept(String)

        var text: String {
            switch self {
            case .uncalibrated(nil): "uncalibrated"
            case .uncalibrated(let deviation?):
                "uncalibrated: turning has shown the offset to \(decimalText(deviation.microtesla, places: 1)) µT"
            case .calibrationUnreadable(let fault): "calibration_unreadable: \(fault)"
            case .calibrationSuspect(let drift): "calibration_suspect: \(drift.text)"
            case .interference: "interference: move away from metal objects"
            case .scaleSuspect(let ratio):
                "scale_suspect: field \(decimalText(ratio, places: 3)) times as strong"
            case .polaritySuspect:
                "polarity_suspect: the field's dip is upside down, check the magnetometer's axes"
            case .axesSuspect:
                "axes_suspect: the field turns otherwise than the gyroscope, check the axes of both"
            case .saturated: "saturated: the magnetometer is at the end of its range"
            case .frozen: "frozen: the magnetometer repeats one value while the vessel turns"
            case .accelerometerFrozen:
                "accelerometer_frozen: it repeats one value while the vessel turns"
            case .gyroscopeFrozen: "gyroscope_frozen: it repeats one value while the field turns"
            case .gyroscopeContradicted:
                "gyroscope_contradicted: it turns otherwise than the field, check its axes and scale"
            case .zeroField: "zero_field: the magnetometer says 0 on all axes"
            case .modelExpired: "model_expired"
            case .nothingKept(let reason): "nothing_kept: \(reason)"
            case .receiverWeekRollover(let epochs): "gps_week_rollover: \(epochs * 1024) weeks added"
            }
        }
    }

    package init(
        pipeline: Pipeline, rates: SourceRates, at now: Instant, uptime: Interval, version: String,
        libraries: String, broker: Broker, commands: Commands? = nil, storageFault: String? = nil
    ) {
        self.commands = commands
        at = now
        time = pipeline.time(at: now)
        sources = pipeline.sources
        rejections = pipeline.rejections
        warnings = pipeline.warnings + (storageFault.map { [.nothingKept($0)] } ?? [])
        self.rates = rates
        self.uptime = uptime
        self.version = version
        self.libraries = libraries
        self.broker = broker
    }

    package func write(to writer: inout PayloadWriter) {
        writer.begin()
        writer.time("time", time)
        writer.text("version", version)
        writer.text("libraries", libraries)
        writer.number("uptime", uptime.seconds, places: 0)
        writer.text("warnings", warnings.map(\.text).joined(separator: "; "))
        for source in Source.allCases {
            writer.object(source.name) { write(source, to: &$0) }
        }
        writer.object("rejected") { object in
            for rejection in Rejection.allCases where rejections[rejection] > 0 {
                object.number(named: rejection.rawValue, Int(clamping: rejections[rejection]))
            }
        }
        writer.object("broker") { object in
            object.number("connects", Int(clamping: broker.connects))
            object.number("messages", Int(clamping: broker.messages))
            object.text("last_fault", broker.lastFault)
        }
        if let commands {
            writer.object("commands") { object in
                object.number("accepted", Int(clamping: commands.accepted))
                object.number("refused", Int(clamping: commands.refused))
            }
        }
        writer.end()
    }

    private func write(_ source: Source, to object: inout PayloadWriter) {
        let monitor = sources[source]
        switch monitor.state {
        case .online:
            object.word("status", "online")
            object.null("reason")
        case .offline(let reason):
            object.word("status", "offline")
            object.text("reason", reason)
        }
        object.text("device", monitor.description?.identity)
        object.text("mode", monitor.description?.mode)
        object.number("rate", rates[source], places: 1)
        object.number("readings", Int(clamping: monitor.accepted))
        object.number("age", monitor.lastGood.map { (at - $0).seconds }, places: 1)
    }
}

/// Readings a second of each source, since the last look.
package struct SourceRates: Hashable, Sendable {
    private var counts: [UInt64] = Source.allCases.map { _ in 0 }
    private var rates: [Double] = Source.allCases.map { _ in 0 }
    private var lastLook: Instant

    package init(at start: Instant) { lastLook = start }

    package subscript(_ source: Source) -> Double { rates[source.rawValue] }

    package mutating func look(_ sources: SourceTable, at now: Instant) {
        let elapsed = (now - lastLook).seconds
        for source in Source.allCases {
            let count = sources[source].accepted
            let new = count - counts[source.rawValue]
            rates[source.rawValue] = elapsed > 0 ? Double(new) / elapsed : 0
            counts[source.rawValue] = count
        }
        lastLook = now
    }
}
