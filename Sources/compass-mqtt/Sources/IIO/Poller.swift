import HeadingPipeline

/// Reads the raw attributes of a device's channels, each at its own rate.
struct Poller {
    private var channels: [PolledChannel] = []
    private let name: String

    init(
        _ device: IIODevice, _ channels: [(IIOChannel, rate: Double)], start: Instant
    ) throws(Errno) {
        name = device.identity
        for (channel, rate) in channels {
            self.channels.append(try PolledChannel(device.folder, channel, rate: rate, start: start))
        }
    }

    var nextDue: Instant {
        var earliest = Instant(nanoseconds: .max)
        for index in channels.indices { earliest = min(earliest, channels[index].schedule.next) }
        return earliest
    }

    enum Outcome: Equatable {
        case done
        /// A reading that had failed comes again.
        case recovered
        /// The device is gone, and how that showed.
        case lost(String)
    }

    /// Reads what is due, or sooner than a sleep could hit.
    mutating func readDue(_ line: SourceLine) -> Outcome {
        var outcome = Outcome.done
        let now = SystemClock.now() + SourceLine.shortestSleep
        for index in channels.indices where channels[index].schedule.isDue(at: now) {
            switch channels[index].read(line, name) {
            case .lost(let reason): return .lost(reason)
            case .recovered: outcome = .recovered
            case .done: break
            }
        }
        return outcome
    }
}

private struct PolledChannel {
    private let source: Source
    private let folder: AttributeFolder
    private let conversion: ChannelConversion
    private let files: [RawAttribute]
    private(set) var schedule: PollSchedule
    private var faults = ReadFaults()

    init(
        _ folder: AttributeFolder, _ channel: IIOChannel, rate: Double, start: Instant
    ) throws(Errno) {
        source = channel.kind.source
        self.folder = folder
        conversion = channel.conversion
        var files: [RawAttribute] = []
        for input in channel.inputs {
            files.append(try RawAttribute(folder.path + "/" + input.rawAttribute))
        }
        self.files = files
        schedule = PollSchedule(start: start, rate: rate)
    }

    mutating func read(_ line: SourceLine, _ device: String) -> Poller.Outcome {
        let start = SystemClock.now()
        let result = counts()
        let end = SystemClock.now()
        schedule.advance(past: end)
        switch result {
        case .success(let raw):
            // A driver may measure anew for each axis: the middle is the fairest moment for the three.
            line.deliver(conversion.reading(raw), at: start + (end - start) * 0.5)
            let hadFailed = faults.isFailing
            note(faults.succeeded(), device, nil)
            return hadFailed ? .recovered : .done
        case .failure(let fault):
            if fault.isLoss || !folder.exists { return .lost("the device is gone (\(fault))") }
            line.deliver(.refused(source, fault.rejection), at: end)
            note(faults.failed(at: end), device, fault)
            return .done
        }
    }

    private func counts() -> Result<RawCounts, ReadFault> {
        var raw = RawCounts()
        do throws(ReadFault) {
            for index in files.indices { raw[index] = try files[index].read() }
            return .success(raw)
        } catch {
            return .failure(error)
        }
    }

    private func note(_ notice: ReadFaults.Notice?, _ device: String, _ fault: ReadFault?) {
        // The agent's own word on a source that goes offline is the line that counts.
        switch notice {
        case .failing: Log.debug("\(source.name) \(device): \(fault.map { "\($0)" } ?? "")")
        case .recovered(let failures):
            Log.debug("\(source.name) \(device): reads again after \(failures) failures")
        case nil: break
        }
    }
}
