/// The discovery message that is due, given what was announced before.
package struct HomeAssistantAnnouncement: Sendable {
    package let record: DiscoveryRecord
    package let payload: [UInt8]

    /// - Parameter known: every component that was announced on this topic so far; those that are there no more are
    ///   taken away.
    package init(
        _ device: HomeAssistantDevice, settings: Settings, present: Set<Source>,
        known: [DiscoveryRecord.Component]
    ) {
        let entities = HomeAssistantEntities(
            units: settings.units, present: present, takesCommands: settings.commands.isEnabled
        ).all
        let keys = Set(entities.map(\.key))
        record = DiscoveryRecord(
            topic: device.topic, present: present,
            components: entities.map { .init(key: $0.key, platform: $0.platform.rawValue) })
        var writer = PayloadWriter()
        device.write(entities, removed: known.filter { !keys.contains($0.key) }, to: &writer)
        payload = writer.bytes
    }
}
