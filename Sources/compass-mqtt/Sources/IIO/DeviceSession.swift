import HeadingPipeline

/// One device from its opening to its loss: by its buffer where that works, else by polling.
struct DeviceSession {
    private let assignment: IIOPlan.Assignment
    private let plan: IIOPlan
    private let line: SourceLine
    private var generation: Int
    private(set) var hasOpened = false

    enum End: Equatable {
        case stopping
        /// The plan has changed.
        case replanned
        case lost(String)
    }

    init(_ assignment: IIOPlan.Assignment, plan: IIOPlan, line: SourceLine) {
        self.assignment = assignment
        self.plan = plan
        self.line = line
        generation = plan.currentGeneration
    }

    mutating func run() -> End {
        setFrequencies()
        let (device, channels) = described()
        let mode = plan.settings.sensor(channels[0].kind.source).mode
        guard mode != .polled else { return poll(device, channels, because: "as set") }
        do throws(BufferRefusal) {
            let end = try readBuffer(device, channels)
            return end ?? poll(device, channels, because: "its buffer stayed empty")
        } catch {
            guard mode == .automatic else { return .lost("no buffered reading: \(error)") }
            return poll(device, channels, because: "\(error)")
        }
    }

    /// Whether the plan is still what it was.
    mutating func isCurrent() -> Bool {
        let now = plan.currentGeneration
        guard now != generation else { return true }
        generation = now
        return plan.stillHolds(assignment)
    }

    // MARK: Opening

    /// A refusal is harmless: the device goes on at its own rate.
    private func setFrequencies() {
        var rates: [String: (SamplingFrequency, Double)] = [:]
        for channel in assignment.channels {
            guard let frequency = channel.frequency else { continue }
            let rate = plan.settings.sensor(channel.kind.source).rate
            rates[frequency.attribute] = (frequency, max(rate, rates[frequency.attribute]?.1 ?? 0))
        }
        for (attribute, (frequency, rate)) in rates {
            guard let word = frequency.word(for: rate) else { continue }
            do throws(Errno) {
                try assignment.device.folder.write(word, to: attribute)
            } catch {
                Log.debug("\(assignment.device.identity): \(attribute) stays as it is: \(error)")
            }
        }
    }

    /// Read again, since some chips have another scale at another rate.
    private func described() -> (IIODevice, [IIOChannel]) {
        guard let device = IIODevice(assignment.device.folder) else {
            return (assignment.device, assignment.channels)
        }
        let channels = assignment.channels.compactMap { device.channel($0.kind) }
        return channels.count == assignment.channels.count
            ? (device, channels) : (assignment.device, assignment.channels)
    }

    private mutating func announce(_ device: IIODevice, _ channels: [IIOChannel], mode: String, how: String) {
        hasOpened = true
        plan.opened(assignment)
        for channel in channels {
            let source = channel.kind.source
            let rate = plan.settings.sensor(source).rate
            line.deliver(
                .opened(
                    source,
                    SensorDescription(
                        identity: device.identity, name: device.name, mountMatrix: channel.mountMatrix,
                        mode: mode, rate: rate)))
            say(
                "\(source.name): \(device.identity), \(assignment.reasons[source] ?? ""): "
                    + "\(channel.kind.description) at \(SamplingFrequency.word(rate)) Hz, \(how)")
        }
        for warning in device.warnings { say(warning) }
    }

    /// Once: a device that comes and goes is the same each time.
    private func say(_ text: String) {
        if plan.isNews(text) { Log.info(text) }
    }

    // MARK: Reading

    private mutating func poll(
        _ device: IIODevice, _ channels: [IIOChannel], because reason: String
    ) -> End {
        do throws(Errno) {
            let rates = channels.map { plan.settings.sensor($0.kind.source).rate }
            var poller = try Poller(device, Array(zip(channels, rates)), start: SystemClock.now())
            announce(device, channels, mode: "polled", how: "polled: \(reason)")
            while isCurrent() {
                guard line.wait(until: poller.nextDue) != .stopping else { return .stopping }
                line.expectProgress(within: IIOSource.patience)
                if let loss = poller.readDue(line) { return .lost(loss) }
            }
            return .replanned
        } catch {
            return .lost("cannot be opened: \(error)")
        }
    }

    /// `nil` where nothing comes and polling may do better.
    private mutating func readBuffer(
        _ device: IIODevice, _ channels: [IIOChannel]
    ) throws(BufferRefusal) -> End? {
        let sensor = plan.settings.sensor(channels[0].kind.source)
        let rate = channels.map { plan.settings.sensor($0.kind.source).rate }.max() ?? sensor.rate
        let buffer = try DeviceBuffer(device, channels, root: plan.root, wantedTrigger: sensor.trigger)
        if let trigger = buffer.trigger, trigger.kind == .timer { setTimer(trigger, rate) }
        var capture = BufferCapture(buffer, rate: rate)
        let trigger = buffer.trigger.map { ", trigger \($0.name)" } ?? ""
        announce(device, channels, mode: "buffer", how: "by its buffer\(trigger)")
        while isCurrent() {
            switch capture.next(line) {
            case .read: break
            case .stopping: return .stopping
            case .ended(let reason): return .lost(reason)
            case .silent: return sensor.mode == .automatic ? nil : .lost("no sample comes\(trigger)")
            }
        }
        return .replanned
    }

    /// Several sensors may hang on one timer: it goes as fast as the fastest needs.
    private func setTimer(_ trigger: IIOTrigger, _ rate: Double) {
        let word = SamplingFrequency.word(plan.timerRate(trigger.name, for: assignment.device.folder, rate))
        do throws(Errno) {
            try trigger.folder.write(word, to: "sampling_frequency")
        } catch {
            Log.debug("trigger \(trigger.name) keeps its rate: \(error)")
        }
    }
}
