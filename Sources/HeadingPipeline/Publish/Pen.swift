/// Writes payloads, one after another, into the same storage.
struct Pen: Sendable {
    let units: Settings.Units
    let deadbands: Deadbands
    private var writer = PayloadWriter()

    init(units: Settings.Units, deadbands: Deadbands) {
        self.units = units
        self.deadbands = deadbands
    }

    mutating func send<Content>(
        _ content: Content, through outlet: inout Outlet<Content>, at now: Instant,
        _ deliver: Publisher.Delivery
    ) {
        if outlet.take(content, deadbands, at: now) { write(outlet, deliver) }
    }

    mutating func flush<Content>(
        _ outlet: inout Outlet<Content>, at now: Instant, _ deliver: Publisher.Delivery
    ) {
        if outlet.flush(at: now) { write(outlet, deliver) }
    }

    private mutating func write<Content>(_ outlet: Outlet<Content>, _ deliver: Publisher.Delivery) {
        writer.begin()
        outlet.write(to: &writer, units)
        writer.end()
        deliver(outlet.topic, writer.bytes)
    }

    mutating func write(_ status: StatusChange, _ deliver: Publisher.Delivery) {
        writer.plain(status.isOnline ? "online" : "offline")
        deliver(Topic.status(of: status.source), writer.bytes)
    }
}
