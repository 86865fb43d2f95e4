/// From measurements to messages: which topic, which bytes, and when.
package struct Publisher: Sendable {
    /// Takes one message: the topic and its payload, valid for the call only.
    package typealias Delivery = (Topic, [UInt8]) -> Void

    private var pen: Pen
    /// When ``flush(at:deliver:)`` will next have something to send.
    package private(set) var due: Instant?

    private var heading: Outlet<DirectionContent>
    private var headingMagnetic: Outlet<DirectionContent>
    private var headingTrue: Outlet<DirectionContent>
    private var rateOfTurn: Outlet<RateMeasurement>
    private var roll: Outlet<TiltContent>
    private var pitch: Outlet<TiltContent>
    private var speed: Outlet<SpeedMeasurement>
    private var course: Outlet<DirectionContent>
    private var position: Outlet<PositionMeasurement>
    private var declination: Outlet<DeclinationMeasurement>
    private var field: Outlet<FieldMeasurement>
    private var guidance: GuidanceOutlets

    package init(settings: Settings) {
        pen = Pen(units: settings.units, deadbands: Deadbands(settings.publish))
        let throttle = Throttle.Settings(
            interval: .seconds(1 / settings.publish.rate), heartbeat: settings.publish.heartbeat)
        heading = Outlet(.heading, throttle)
        headingMagnetic = Outlet(.headingMagnetic, throttle)
        headingTrue = Outlet(.headingTrue, throttle)
        rateOfTurn = Outlet(.rateOfTurn, throttle)
        roll = Outlet(.roll, throttle)
        pitch = Outlet(.pitch, throttle)
        speed = Outlet(.speed, throttle)
        course = Outlet(.course, throttle)
        position = Outlet(.position, throttle)
        declination = Outlet(.declination, throttle)
        field = Outlet(.field, throttle)
        guidance = GuidanceOutlets(throttle)
    }

    /// Sends what a reading changed, as far as it is due.
    package mutating func take(_ new: Measurements, at now: Instant, deliver: Delivery) {
        defer { due = earliestDue }
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
        guidance.take(new, with: &pen, at: now, deliver)
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
        guard let due, now >= due else { return }
        defer { self.due = earliestDue }
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
        guidance.flush(with: &pen, at: now, deliver)
    }

    private var earliestDue: Instant? {
        let headings = earliest(heading.due, headingMagnetic.due, headingTrue.due)
        let attitude = earliest(rateOfTurn.due, roll.due, pitch.due)
        let motion = earliest(speed.due, course.due, position.due)
        let slow = earliest(declination.due, field.due, guidance.due)
        return earliest(earliest(headings, attitude, motion), slow)
    }
}

private func earliest(_ a: Instant?, _ b: Instant?, _ c: Instant?) -> Instant? { earliest(earliest(a, b), c) }

private func earliest(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
}

extension HeadingMeasurement {
    fileprivate var shown: DirectionContent {
        DirectionContent(
            time: time, direction: shownHeading, accuracy: shownTrue?.accuracy ?? magneticAccuracy,
            kind: .shown(shownReference, quality))
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
