import HeadingPipeline

/// Magnetometer, accelerometer or gyroscope from the kernel's IIO devices: finds its device, reads it for as long
/// as it is there, and finds it again.
final class IIOSource: ReadingSource {
    let source: Source
    private let plan: IIOPlan

    init(_ source: Source, plan: IIOPlan) {
        self.source = source
        self.plan = plan
    }

    /// The sources that the settings ask for. Each needs a thread of its own.
    static func all(_ settings: Settings) -> [IIOSource] {
        let plan = IIOPlan(settings)
        return [Source.magnetometer, .accelerometer, .gyroscope]
            .filter { settings.sensor($0).device != .none }
            .map { IIOSource($0, plan: plan) }
    }

    /// How often a thread looks whether it has to read what another reads for it.
    private static let glance = Interval.seconds(5)
    /// A driver that waits for a chip that does not answer takes seconds, for each attribute that is read.
    static let patience = Interval.seconds(30)

    func run(_ line: SourceLine) {
        var delay = SearchDelay()
        var report = LossReport(source)
        while !line.isStopping {
            line.expectProgress(within: Self.patience)
            switch plan.assignment(for: source, at: SystemClock.now()) {
            case .elsewhere:
                report.isReadElsewhere()
                pause(line, Self.glance)
            case .missing(let reason):
                report.missing(reason, line)
                pause(line, delay.next())
            case .read(let assignment):
                read(assignment, line, &delay, &report)
            }
        }
    }

    private func read(
        _ assignment: IIOPlan.Assignment, _ line: SourceLine, _ delay: inout SearchDelay,
        _ report: inout LossReport
    ) {
        let start = SystemClock.now()
        var session = DeviceSession(assignment, plan: plan, line: line)
        let end = session.run()
        let isGone = end != .replanned
        plan.closed(assignment, isGone: isGone, at: SystemClock.now())
        // A device that goes as soon as it is opened is not looked for as if it had worked.
        if session.hasOpened, SystemClock.now() - start > .seconds(5) {
            delay = SearchDelay()
            report.reset()
        }
        if case .lost(let reason) = end {
            report.lost(assignment, reason, line)
            pause(line, delay.next())
        }
    }

    private func pause(_ line: SourceLine, _ interval: Interval) {
        _ = line.wait(until: SystemClock.now() + interval)
    }
}

/// Tells once what is missing, until that changes.
private struct LossReport {
    private let source: Source
    private var told: String?

    init(_ source: Source) { self.source = source }

    mutating func reset() { told = nil }

    /// What happens to the device is told there.
    mutating func isReadElsewhere() { told = "" }

    mutating func missing(_ reason: String, _ line: SourceLine) {
        guard told == nil else { return }
        told = reason
        line.deliver(.lost(source, reason: reason))
    }

    mutating func lost(_ assignment: IIOPlan.Assignment, _ reason: String, _ line: SourceLine) {
        told = reason
        for source in assignment.services.keys { line.deliver(.lost(source, reason: reason)) }
    }
}

extension Settings {
    /// How a sensor is found and read; gps has no such settings and gets the magnetometer's.
    func sensor(_ source: Source) -> Sensor {
        switch source {
        case .accelerometer: accelerometer
        case .gyroscope: gyroscope
        case .magnetometer, .gps: magnetometer.sensor
        }
    }
}
