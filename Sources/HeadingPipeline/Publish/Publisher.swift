/// From measurements to messages: which topic, which bytes, and when.
package struct Publisher: Sendable {
    /// Takes one message: the topic and its payload, valid for the call only.
    package typealias Delivery = (Topic, [UInt8]) -> Void

    private var pen: Pen

    private var heading: Channel<DirectionContent>
    private var headingMagnetic: Channel<DirectionContent>
    private var headingTrue: Channel<DirectionContent>
    private var rateOfTurn: Channel<RateMeasurement>
    private var roll: Channel<TiltContent>
    private var pitch: Channel<TiltContent>
    private var speed: Channel<SpeedMeasurement>
    private var course: Channel<DirectionContent>
    private var position: Channel<PositionMeasurement>
    private var declination: Channel<DeclinationMeasurement>
    private var field: Channel<FieldMeasurement>

    package init(settings: Settings) {
        pen = Pen(units: settings.units, deadbands: Deadbands(settings.publish))
        let throttle = Throttle.Settings(
            interval: .seconds(1 / settings.publish.rate), heartbeat: settings.publish.heartbeat)
        heading = Channel(.heading, throttle)
        headingMagnetic = Channel(.headingMagnetic, throttle)
        headingTrue = Channel(.headingTrue, throttle)
        rateOfTurn = Channel(.rateOfTurn, throttle)
        roll = Channel(.roll, throttle)
        pitch = Channel(.pitch, throttle)
        speed = Channel(.speed, throttle)
        course = Channel(.course, throttle)
        position = Channel(.position, throttle)
        declination = Channel(.declination, throttle)
        field = Channel(.field, throttle)
    }

    /// Sends what a reading changed, as far as it is due.
    package mutating func take(_ new: Measurements, at now: Instant, deliver: Delivery) {
        if let status = new.status { take(status, deliver) }
        if let heading = new.heading { take(heading, at: now, deliver) }
        if let attitude = new.attitude { take(attitude, at: now, deliver) }
        if let rate = new.rateOfTurn { pen.send(rate, through: &self.rateOfTurn, at: now, deliver) }
        if let field = new.field { pen.send(field, through: &self.field, at: now, deliver) }
        if let speed = new.speed { pen.send(speed, through: &self.speed, at: now, deliver) }
        if let course = new.course { pen.send(course.content, through: &self.course, at: now, deliver) }
        if let position = new.position { pen.send(position, through: &self.position, at: now, deliver) }
        if let declination = new.declination {
            pen.send(declination, through: &self.declination, at: now, deliver)
        }
    }

    private mutating func take(_ new: HeadingMeasurement, at now: Instant, _ deliver: Delivery) {
        pen.send(new.shown, through: &self.heading, at: now, deliver)
        pen.send(new.magneticContent, through: &self.headingMagnetic, at: now, deliver)
        if new.trueNorth != nil || headingTrue.due != nil {
            pen.send(new.trueContent, through: &self.headingTrue, at: now, deliver)
        }
    }

    private mutating func take(_ new: AttitudeMeasurement, at now: Instant, _ deliver: Delivery) {
        let roll = TiltContent(time: new.time, angle: new.roll, accuracy: new.accuracy)
        let pitch = TiltContent(time: new.time, angle: new.pitch, accuracy: new.accuracy)
        pen.send(roll, through: &self.roll, at: now, deliver)
        pen.send(pitch, through: &self.pitch, at: now, deliver)
    }

    /// A source's status goes out at once; what an offline source said is not repeated.
    private mutating func take(_ change: StatusChange, _ deliver: Delivery) {
        pen.write(change, deliver)
        if !change.isOnline { forget(change.source) }
    }

    private mutating func forget(_ source: Source) {
        switch source {
        case .magnetometer:
            heading.forget()
            headingMagnetic.forget()
            headingTrue.forget()
            field.forget()
            rateOfTurn.forget()
        case .accelerometer:
            roll.forget()
            pitch.forget()
        case .gyroscope: rateOfTurn.forget()
        case .gps:
            speed.forget()
            course.forget()
            position.forget()
        }
    }

    /// Sends what waited for its interval and what is due as a heartbeat.
    package mutating func flush(at now: Instant, deliver: Delivery) {
        pen.flush(&heading, at: now, deliver)
        pen.flush(&headingMagnetic, at: now, deliver)
        pen.flush(&headingTrue, at: now, deliver)
        pen.flush(&rateOfTurn, at: now, deliver)
        pen.flush(&roll, at: now, deliver)
        pen.flush(&pitch, at: now, deliver)
        pen.flush(&field, at: now, deliver)
        pen.flush(&speed, at: now, deliver)
        pen.flush(&course, at: now, deliver)
        pen.flush(&position, at: now, deliver)
        pen.flush(&declination, at: now, deliver)
    }

    /// When ``flush(at:deliver:)`` will next have something to send.
    package var due: Instant? {
        let headings = earliest(heading.due, headingMagnetic.due, headingTrue.due)
        let attitude = earliest(rateOfTurn.due, roll.due, pitch.due)
        let motion = earliest(speed.due, course.due, position.due)
        return earliest(earliest(headings, attitude, motion), declination.due, field.due)
    }
}

private func earliest(_ a: Instant?, _ b: Instant?, _ c: Instant?) -> Instant? { earliest(earliest(a, b), c) }

private func earliest(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
}

/// Writes payloads, one after another, into the same storage.
private struct Pen: Sendable {
    let units: Settings.Units
    let deadbands: Deadbands
    private var writer = PayloadWriter()

    init(units: Settings.Units, deadbands: Deadbands) {
        self.units = units
        self.deadbands = deadbands
    }

    mutating func send<Content>(
        _ content: Content, through channel: inout Channel<Content>, at now: Instant,
        _ deliver: Publisher.Delivery
    ) {
        if channel.take(content, deadbands, at: now) { write(channel, deliver) }
    }

    mutating func flush<Content>(
        _ channel: inout Channel<Content>, at now: Instant, _ deliver: Publisher.Delivery
    ) {
        if channel.flush(at: now) { write(channel, deliver) }
    }

    private mutating func write<Content>(_ channel: Channel<Content>, _ deliver: Publisher.Delivery) {
        writer.begin()
        channel.write(to: &writer, units)
        writer.end()
        deliver(channel.topic, writer.bytes)
    }

    mutating func write(_ status: StatusChange, _ deliver: Publisher.Delivery) {
        writer.plain(status.isOnline ? "online" : "offline")
        deliver(Topic.status(of: status.source), writer.bytes)
    }
}

extension HeadingMeasurement {
    fileprivate var shown: DirectionContent {
        if prefersTrue, let trueNorth {
            return DirectionContent(
                time: time, direction: trueNorth.heading, accuracy: trueNorth.accuracy,
                kind: .shown(.trueNorth, quality))
        }
        return DirectionContent(
            time: time, direction: magnetic, accuracy: magneticAccuracy, kind: .shown(.magnetic, quality))
    }

    fileprivate var magneticContent: DirectionContent {
        DirectionContent(
            time: time, direction: magnetic, accuracy: magneticAccuracy, kind: .magnetic(quality))
    }

    fileprivate var trueContent: DirectionContent {
        DirectionContent(
            time: time, direction: trueNorth?.heading, accuracy: trueNorth?.accuracy,
            kind: .trueNorth(declination: trueNorth?.declination))
    }
}

extension CourseMeasurement {
    fileprivate var content: DirectionContent {
        DirectionContent(
            time: time, direction: course?.course, accuracy: course?.accuracy, kind: .course)
    }
}
