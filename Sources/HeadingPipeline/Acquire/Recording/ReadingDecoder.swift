extension Reading {
    /// Reads one line of a recording, without its end. Never traps, whatever the bytes; a line that is not wholly
    /// understood is refused. docs/recording.md describes the lines.
    package init(line: UnsafeRawBufferPointer) throws(RecordingFault) {
        var fields = RecordingFields(line)
        do throws(RecordingFault) { at = Instant(nanoseconds: try fields.integer()) } catch { throw .noTime }
        content = try Content(&fields)
        try fields.finish()
    }
}

extension Reading.Content {
    fileprivate init(_ fields: inout RecordingFields) throws(RecordingFault) {
        let kind = fields.word()
        if let source = Source(recorded: kind) {
            self = .sample(try SensorSample(source, &fields))
            return
        }
        switch kind {
        case "compass": self = .compass(CompassHeading(magnetic: .radians(try fields.number())))
        case "fix": self = .fix(try GpsFix(&fields))
        case "sat": self = .satellites(try SatelliteReport(&fields))
        case "opened": self = .opened(try fields.source(), try SensorDescription.read(&fields))
        case "lost": self = .lost(try fields.source(), reason: try fields.text())
        case "refused": self = .refused(try fields.source(), try Rejection(&fields))
        case "stored": self = .stored(try fields.source(), try fields.bytes())
        case "clock": self = .clock(UTCTime(nanoseconds: try fields.integer()))
        case "command": self = .command(try OperatorCommand(&fields))
        case "trip": self = .trip(try TripTotals(&fields))
        default: throw .unknownKind
        }
    }
}

extension OperatorCommand {
    fileprivate init(_ fields: inout RecordingFields) throws(RecordingFault) {
        switch fields.word() {
        case "destination":
            let position = try GeoPosition.read(&fields)
            let name = try fields.text("name")
            if position == nil, name != nil { throw .place }
            self = .destination(position.map { Waypoint(position: $0, name: name) })
        case "steer": self = .steer(try OrderedCourse.read(&fields))
        case "trip_reset": self = .resetTrip
        case "true_north": self = .reference(.trueNorth)
        case "magnetic_north": self = .reference(.magnetic)
        case "smoothing": self = .smoothing(try Self.smoothing(fields.integer()))
        case "heading_offset": self = .headingOffset(try Self.angle(fields.number()))
        default: throw .unknownCommand
        }
    }

    // No command gives what the config file may not.

    fileprivate static func angle(_ radians: Double) throws(RecordingFault) -> Angle {
        guard abs(radians) <= 2 * .pi else { throw .number }
        return .radians(radians)
    }

    private static func smoothing(_ nanoseconds: Int64) throws(RecordingFault) -> Interval {
        let smoothing = Interval(nanoseconds: nanoseconds)
        guard (Interval.zero...Interval.seconds(60)).contains(smoothing) else { throw .number }
        return smoothing
    }
}

extension OrderedCourse {
    fileprivate static func read(_ fields: inout RecordingFields) throws(RecordingFault) -> Self? {
        guard let course = try fields.number("course").map(OperatorCommand.angle) else { return nil }
        let references: [Settings.Reference] = [.trueNorth, .magnetic]
        return Self(course, from: references.first { fields.skip($0.recorded) })
    }
}

extension TripTotals {
    fileprivate init(_ fields: inout RecordingFields) throws(RecordingFault) {
        guard let distance = try fields.finite("distance"), let speed = try fields.finite("max_speed"),
            distance >= 0, speed >= 0
        else { throw .number }
        self.init(
            distance: .meters(distance), maximumSpeed: .metersPerSecond(speed),
            since: try fields.integer("since").map(UTCTime.init))
    }
}

extension SensorSample {
    fileprivate init(_ source: Source, _ fields: inout RecordingFields) throws(RecordingFault) {
        self.init(source: source, vector: try fields.vector(), isSaturated: fields.skip("saturated"))
    }
}

extension SensorDescription {
    /// `nil`: the source has none.
    fileprivate static func read(_ fields: inout RecordingFields) throws(RecordingFault) -> Self? {
        guard let identity = try fields.text("identity") else { return nil }
        guard let name = try fields.text("name"), let mode = try fields.text("mode") else { throw .text }
        guard let rate = try fields.finite("rate") else { throw .number }
        let sampling = fields.skip("means") ? Sampling.blockMean : .point
        let matrix = try fields.matrix("matrix")
        return Self(
            identity: identity, name: name, mountMatrix: matrix, mode: mode, rate: rate, sampling: sampling)
    }
}

extension GpsFix {
    fileprivate init(_ fields: inout RecordingFields) throws(RecordingFault) {
        guard let word = try fields.integer("mode"), let mode = Mode(rawValue: Int(word)) else {
            throw .number
        }
        self.init(mode: mode)
        device = try fields.text("device")
        time = try fields.integer("time").map(UTCTime.init)
        position = try GeoPosition.read(&fields)
        altitude = try fields.finite("altitude").map(Length.meters)
        ellipsoidHeight = try fields.finite("height").map(Length.meters)
        speed = try fields.finite("speed").map(Speed.metersPerSecond)
        course = try fields.finite("course").map(Angle.radians)
        horizontalError = try fields.finite("eph").map(Length.meters)
        speedError = try fields.finite("eps").map(Speed.metersPerSecond)
        courseError = try fields.finite("epd").map(Angle.radians)
    }
}

extension GeoPosition {
    fileprivate static func read(_ fields: inout RecordingFields) throws(RecordingFault) -> Self? {
        guard let latitude = try fields.number("lat") else { return nil }
        guard let longitude = try fields.number("lon") else { throw .place }
        guard var position = Self(latitude: .radians(latitude), longitude: .radians(longitude)) else {
            throw .place
        }
        // Folding it once more could change its last bit.
        if longitude >= -.pi, longitude < .pi { position.longitude = .radians(longitude) }
        return position
    }
}

extension SatelliteReport {
    fileprivate init(_ fields: inout RecordingFields) throws(RecordingFault) {
        self.init(
            device: try fields.text("device"), used: try fields.integer("used").map(Int.init(clamping:)),
            visible: try fields.integer("visible").map(Int.init(clamping:)))
    }
}

extension Rejection {
    fileprivate init(_ fields: inout RecordingFields) throws(RecordingFault) {
        guard let reason = Rejection(rawValue: fields.word()) else { throw .unknownReason }
        self = reason
    }
}
