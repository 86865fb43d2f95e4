import HeadingPipeline

/// Keeps the discovery message up to date with the sources that there are, and takes away what an earlier run announced
/// and is there no more.
struct DiscoveryAnnouncer {
    private let settings: Settings
    private let device: HomeAssistantDevice
    private let outbox: Outbox
    /// `nil` in another agent's folder.
    private let store: DiscoveryStore?
    private var presence: SourcePresence
    /// What the state folder knows.
    private var saved: DiscoveryRecord?
    /// What was announced in this run; `nil`: nothing.
    private var announced: DiscoveryRecord?
    private var known: [DiscoveryRecord.Component]
    private var changedAt: Instant
    private var saveFault: Errno?
    private var nextSave: Instant

    /// So long after it was sent, a message has arrived.
    private static let delivery = Interval.seconds(5)
    /// A disk that was full may have room again.
    private static let beforeRetry = Interval.seconds(20)

    init(
        _ device: HomeAssistantDevice, settings: Settings, _ folder: borrowing StateFolder, outbox: Outbox,
        at now: Instant
    ) {
        self.settings = settings
        self.outbox = outbox
        self.device = device
        store = folder.isAnothers ? nil : DiscoveryStore(stateDirectory: folder.path)
        saved = store?.load()
        nextSave = now
        presence = SourcePresence(settings: settings, remembered: saved?.present ?? [], at: now)
        changedAt = now
        known = saved?.topic == device.topic ? saved?.components ?? [] : []
        removeOldTopic()
    }

    /// The device under another id, or with discovery switched off.
    private func removeOldTopic() {
        guard let old = saved?.topic else { return }
        if old == device.topic, settings.homeAssistant.isDiscoveryEnabled { return }
        outbox.remove(slot(old))
    }

    private func slot(_ topic: String) -> Outbox.Slot {
        outbox.add(OutboundTopic(name: topic, stage: .discovery, qos: 1))
    }

    /// To be called about once a second.
    mutating func look(_ sources: SourceTable, _ session: MQTTSession.Snapshot, at now: Instant) {
        if settings.homeAssistant.isDiscoveryEnabled {
            let present = presence.look(sources, at: now)
            if present != announced?.present { announce(present, at: now) }
        }
        guard saved != announced, isDelivered(session, at: now) else { return }
        save(at: now)
    }

    private mutating func save(at now: Instant) {
        guard let store, now >= nextSave else { return }
        do throws(Errno) {
            try store.save(announced)
            saved = announced
            saveFault = nil
        } catch {
            nextSave = now + Self.beforeRetry
            if saveFault != error { store.tell(error) }
            saveFault = error
        }
    }

    private mutating func announce(_ present: Set<Source>, at now: Instant) {
        let new = HomeAssistantAnnouncement(device, settings: settings, present: present, known: known)
        known += new.record.components.filter { !known.contains($0) }
        announced = new.record
        changedAt = now
        outbox.put(slot(device.topic), new.payload)
        outbox.flush()
    }

    private func isDelivered(_ session: MQTTSession.Snapshot, at now: Instant) -> Bool {
        session.state == .connected && now - max(session.since, changedAt) >= Self.delivery
    }
}
