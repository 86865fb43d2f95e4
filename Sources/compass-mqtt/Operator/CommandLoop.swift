import HeadingPipeline

/// What the desk's thread does: it takes message after message, and saves what lasts when it is time to.
final class CommandLoop {
    private let desk: CommandDesk
    private let pipeline: LivePipeline
    private let calibration: CommandedCalibration
    private var refusals: CommandRefusals
    private var kept: KeptState
    private var saved: KeptState
    private var schedule = SaveSchedule(startingAt: SystemClock.now())
    private var logLimit = RateLimit(perSecond: 0.1, burst: 20)
    private var saveFault: Errno?

    init(
        _ desk: CommandDesk, _ pipeline: LivePipeline, _ topics: PublishedTopics,
        _ calibration: CommandedCalibration
    ) {
        self.calibration = calibration
        self.desk = desk
        self.pipeline = pipeline
        refusals = CommandRefusals(topics)
        kept = desk.kept
        saved = desk.kept
        saveFault = desk.folderFault
    }

    func run() {
        while !desk.isStopping {
            desk.queue.wakeup.wait(until: schedule.due)
            let waiting = desk.queue.take()
            for dropped in waiting.dropped { refuse(dropped) }
            for message in waiting.messages { take(message) }
            if SystemClock.now() >= schedule.due { save() }
        }
        save()
        desk.didStop()
    }

    private func take(_ message: IncomingMessage) {
        let name = shortTopic(message).dropLast("/set".count)
        guard let topic = CommandTopic(rawValue: String(name)) else {
            // At every connect it would come again.
            if !message.isStored { refuse(message, "no such command, known are \(CommandTopic.list)") }
            return
        }
        let isKnown = message.isStored && kept.storedMessages.knows(message.payload, of: topic)
        note(message, topic)
        if isKnown { return passOver(message, topic) }
        do throws(CommandFault) { try carryOut(topic, message.payload) } catch {
            refuse(message, error.description)
        }
    }

    /// So that the broker's stored message is not acted on at the next connect.
    private func note(_ message: IncomingMessage, _ topic: CommandTopic) {
        guard message.isRetained || desk.version == .v311 else { return }
        kept.storedMessages.note(message.payload, of: topic, isSurelyStored: message.isRetained)
    }

    private func carryOut(_ topic: CommandTopic, _ payload: [UInt8]) throws(CommandFault) {
        switch try CommandPayload(topic, payload) {
        case .command(let asked):
            let command = pipeline.settled(asked)
            take(command)
            kept.adopt(command)
        case .configured(let setting):
            if let command = desk.configured.command(for: setting) { take(command) }
            kept.giveBack(setting)
        case .calibration(let command): try calibration.carryOut(command)
        }
        schedule.commandCame(at: SystemClock.now())
        desk.didAccept()
        guard logLimit.allows(at: SystemClock.now()) else { return }
        Log.info("command: \(topic.rawValue) \(CommandRefusals.visible(payload))")
    }

    private func take(_ command: OperatorCommand) {
        pipeline.take(Reading(at: SystemClock.now(), .command(command)))
    }

    /// At every connect it comes again; but a person may have sent the same anew just then.
    private func passOver(_ message: IncomingMessage, _ topic: CommandTopic) {
        if message.isLate {
            refuse(message, "is what the broker had stored and was carried out before; send it again")
        } else if logLimit.allows(at: SystemClock.now()) {
            let shown = CommandRefusals.visible(message.payload)
            Log.info(
                "command: \(topic.rawValue) \(shown) is stored at the broker: carried out before, not again")
        }
    }

    private func refuse(_ message: IncomingMessage, _ reason: String) {
        desk.didRefuse()
        pipeline.noteNews()
        refusals.tell(shortTopic(message), message.payload, reason, at: pipeline.time(at: SystemClock.now()))
    }

    private func refuse(_ dropped: IncomingQueue.Dropped) {
        desk.didRefuse(dropped.count - 1)
        let others = dropped.count > 1 ? ", and \(dropped.count - 1) before it" : ""
        refuse(dropped.last, "came too fast\(others): newer ones are taken in its place")
    }

    /// Below the base.
    private func shortTopic(_ message: IncomingMessage) -> String {
        String(decoding: message.topic.utf8.dropFirst(desk.base.utf8.count + 1), as: UTF8.self)
    }

    private func save() {
        let now = SystemClock.now()
        kept.trip = pipeline.snapshot.trip.totals
        schedule.didLook(at: now, hasWritten: kept != saved)
        guard kept != saved, desk.obstacle == nil else { return }
        do throws(Errno) {
            try desk.store.save(kept)
            saved = kept
            didSave()
        } catch {
            schedule.saveFailed(at: now)
            if saveFault != error { Log.warning("\(desk.store.path): \(error): nothing lasts a restart") }
            saveFault = error
            desk.didSave("\(desk.store.path): \(error)")
        }
    }

    private func didSave() {
        guard saveFault != nil else { return }
        Log.info("\(desk.store.path): can be written again")
        saveFault = nil
        desk.didSave(nil)
    }
}

extension CommandTopic {
    fileprivate static var list: String { allCases.map { "\($0.rawValue)/set" }.joined(separator: ", ") }
}
