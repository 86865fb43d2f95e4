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
        let mode = plan.settings.sensor(assignment.channels[0].kind.source).mode
        if mode == .polled { return poll(because: "the settings say so") }
        do throws(BufferRefusal) {
            return try readBuffer() ?? poll(because: "its buffer stays empty", insteadOfBuffer: true)
        } catch {
            guard mode == .automatic else { return .lost("no buffered reading: \(error)") }
            return poll(because: "\(error)", until: error.lateGrant)
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
                    + "\(channel.kind.description) at \(SamplingFrequency.word(rate)) Hz, \(how)",
                // Once it has served, the reason is another.
                about: "\(source.name) \(device.identity) \(how)")
            if replacesMatrix(of: channel) {
                say("\(source.name): mount_matrix of the settings takes the place of the driver's")
            }
        }
        for warning in device.warnings { say(warning) }
    }

    /// A driver that was not told how its chip sits says that it sits straight.
    private func replacesMatrix(of channel: IIOChannel) -> Bool {
        guard let drivers = channel.mountMatrix else { return false }
        let own = plan.settings.sensor(channel.kind.source).mountMatrix
        return own != nil && own != drivers
    }

    /// Once: a device that comes and goes is the same each time.
    private func say(_ text: String, about matter: String? = nil) {
        if plan.isNews(matter ?? text) { Log.info(text) }
    }

    // MARK: Reading

    /// `insteadOfBuffer`: the buffer is worth another try once a device that had failed answers again; `grant`:
    /// as soon as a permission is there.
    private mutating func poll(
        because reason: String, insteadOfBuffer: Bool = false, until grant: LateGrant? = nil
    ) -> End {
        var grant = grant
        // Many drivers wait for a new measurement for each axis they are asked for.
        let (device, channels) = assignment.prepared(plan.settings) { $0.inputs.count }
        do throws(Errno) {
            let rates = channels.map { plan.settings.sensor($0.kind.source).rate }
            var poller = try Poller(device, Array(zip(channels, rates)), start: SystemClock.now())
            announce(device, channels, mode: "polled", how: "polled: \(reason)")
            while isCurrent() {
                guard line.wait(until: poller.nextDue) != .stopping else { return .stopping }
                line.expectProgress(within: IIOSource.patience)
                switch poller.readDue(line) {
                case .lost(let reason): return .lost(reason)
                case .recovered where insteadOfBuffer: return .replanned
                case .recovered, .done: break
                }
                if grant?.isThere(at: SystemClock.now()) == true { return .replanned }
            }
            return .replanned
        } catch {
            return .lost("cannot be opened: \(error)")
        }
    }

    /// `nil` where nothing comes and polling may do better.
    private mutating func readBuffer() throws(BufferRefusal) -> End? {
        let (device, channels) = assignment.prepared(plan.settings) { _ in 1 }
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
            // The kernel wakes nobody who waits for a device that goes.
            case .silent where !device.folder.exists: return .lost("the device is gone")
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
