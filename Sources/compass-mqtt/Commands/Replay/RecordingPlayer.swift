import Glibc
import HeadingPipeline

/// A recording on its way through the pipeline to where its messages go, at the recorded pace or as fast as it
/// goes.
struct RecordingPlayer {
    private var replay: Replay
    private let output: any ReplayOutput
    private let speed: Double?
    private var pace: ReplayPace?
    private(set) var tally = ReplayTally()

    /// Of the lines that are refused, so many are named.
    private static let mostNamed = 10

    init(_ options: ReplayOptions, _ head: RecordingHead, config: Settings?) throws(ReplayError) {
        let settings = try head.settings(in: options.file, unless: config)
        replay = Replay(settings: settings, buildDate: head.buildDate ?? BuildDate.current)
        speed = options.speed
        let topics = ReplayTopics(settings, isPublished: options.isPublished)
        do throws(Errno) {
            output =
                options.isPublished
                ? try PublishedMessages(topics, settings) : PrintedMessages(base: topics.base)
        } catch {
            throw ReplayError("\(error)")
        }
    }

    mutating func play(_ input: inout RecordingInput) throws(ReplayError) {
        tellAll { (replay, deliver) in replay.begin(deliver: deliver) }
        var goesOn = true
        while goesOn, let piece = try input.next() {
            switch piece {
            case .head: break
            case .reading(let reading): goesOn = try play(reading)
            case .refused(let line, let fault): note(fault, in: line)
            }
        }
        tally.isCutOff = input.isCutOff
        try output.finish()
    }

    /// False: somebody wants the replay to end.
    private mutating func play(_ reading: Reading) throws(ReplayError) -> Bool {
        if let speed {
            let pace = pace ?? ReplayPace(speed: speed, from: reading.at)
            self.pace = pace
            while let due = replay.due, due < reading.at {
                guard try wait(for: due, pace) else { return false }
                tellAll { (replay, deliver) in replay.settle(at: due, deliver: deliver) }
            }
            guard try wait(for: reading.at, pace) else { return false }
        }
        tally.readings += 1
        tellAll { (replay, deliver) in replay.take(reading, deliver: deliver) }
        try output.flushIfFull()
        return true
    }

    private func wait(for recorded: Instant, _ pace: ReplayPace) throws(ReplayError) -> Bool {
        let moment = pace.moment(of: recorded)
        return moment > SystemClock.now() ? try output.wait(until: moment) : true
    }

    private mutating func tellAll(_ step: (inout Replay, Publisher.Delivery) -> Void) {
        var messages = 0
        step(&replay) { topic, payload in
            output.put(topic, payload)
            messages += 1
        }
        tally.messages += messages
    }

    private mutating func note(_ fault: RecordingFault, in line: Int) {
        tally.refused += 1
        guard tally.refused <= Self.mostNamed else { return }
        StandardStream.error.writeLine("compass-mqtt: line \(line): \(fault.rawValue)")
    }
}

extension RecordingHead {
    /// Those under which the recording was made, unless others are asked for.
    func settings(in file: String, unless asked: Settings?) throws(ReplayError) -> Settings {
        if let asked { return asked }
        // A recording without settings was made under none.
        guard !settings.isEmpty else { return Settings() }
        do throws(SettingsFaults) {
            return try Settings.load(Array(settings.utf8), file: file).settings
        } catch {
            throw ReplayError(
                "its settings do not hold here, give others with --config\n\(error.description)")
        }
    }
}
