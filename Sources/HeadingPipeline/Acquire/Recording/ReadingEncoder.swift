extension [UInt8] {
    /// Appends the reading as one line of a recording, with its end. A sample costs no allocation once the array
    /// has the room. docs/recording.md describes the lines.
    package mutating func appendLine(_ reading: Reading) {
        appendExact(reading.at.nanoseconds)
        append(reading.content)
        append(UInt8(ascii: "\n"))
    }

    private mutating func append(_ content: Reading.Content) {
        switch content {
        case .sample(let sample): append(sample)
        case .compass(let heading):
            append(" compass")
            field(heading.magnetic.radians)
        case .fix(let fix): append(fix)
        case .satellites(let report): append(report)
        case .opened(let source, let description):
            append(" opened ")
            append(source.recorded)
            if let description { append(description) }
        case .lost(let source, let reason):
            append(" lost ")
            append(source.recorded)
            append(.blank)
            quoted(reason)
        case .refused(let source, let rejection):
            append(" refused ")
            append(source.recorded)
            append(.blank)
            append(contentsOf: rejection.rawValue.utf8)
        case .stored(let source, let file):
            append(" stored ")
            append(source.recorded)
            append(.blank)
            quoted(file)
        case .clock(let time):
            append(" clock ")
            appendExact(time.nanoseconds)
        case .command(let command): append(command)
        case .trip(let totals):
            append(" trip")
            field("distance", totals.distance.meters)
            field("max_speed", totals.maximumSpeed.metersPerSecond)
            field("since", totals.since?.nanoseconds)
        }
    }

    private mutating func append(_ command: OperatorCommand) {
        append(" command ")
        switch command {
        case .destination(let waypoint):
            append("destination")
            field("lat", waypoint?.position.latitude.radians)
            field("lon", waypoint?.position.longitude.radians)
            field("name", waypoint?.name)
        case .steer(let order):
            append("steer")
            field("course", order?.course.radians)
            if let reference = order?.reference {
                append(.blank)
                append(reference.recorded)
            }
        case .resetTrip: append("trip_reset")
        case .reference(let reference): append(reference.recorded)
        case .smoothing(let smoothing):
            append("smoothing ")
            appendExact(smoothing.nanoseconds)
        case .headingOffset(let offset):
            append("heading_offset")
            field(offset.radians)
        }
    }

    private mutating func append(_ sample: SensorSample) {
        append(.blank)
        append(sample.source.recorded)
        field(sample.vector)
        if sample.isSaturated { append(" saturated") }
    }

    private mutating func append(_ fix: GpsFix) {
        append(" fix")
        field("mode", Int64(fix.mode.rawValue))
        field("device", fix.device)
        field("time", fix.time?.nanoseconds)
        field("lat", fix.position?.latitude.radians)
        field("lon", fix.position?.longitude.radians)
        field("altitude", fix.altitude?.meters)
        field("height", fix.ellipsoidHeight?.meters)
        field("speed", fix.speed?.metersPerSecond)
        field("course", fix.course?.radians)
        field("eph", fix.horizontalError?.meters)
        field("eps", fix.speedError?.metersPerSecond)
        field("epd", fix.courseError?.radians)
    }

    private mutating func append(_ report: SatelliteReport) {
        append(" sat")
        field("device", report.device)
        field("used", report.used.map(Int64.init))
        field("visible", report.visible.map(Int64.init))
    }

    private mutating func append(_ description: SensorDescription) {
        field("identity", description.identity)
        field("name", description.name)
        field("mode", description.mode)
        field("rate", description.rate)
        if description.sampling == .blockMean { append(" means") }
        guard let matrix = description.mountMatrix else { return }
        name("matrix")
        // The blank that a field begins with is there for the other eight.
        appendExact(matrix.rowX.x)
        field(matrix.rowX.y)
        field(matrix.rowX.z)
        field(matrix.rowY)
        field(matrix.rowZ)
    }

    // MARK: Fields

    private mutating func field(_ value: Double) {
        append(.blank)
        appendExact(value)
    }

    private mutating func field(_ vector: Vector3) {
        field(vector.x)
        field(vector.y)
        field(vector.z)
    }

    private mutating func name(_ name: StaticString) {
        append(.blank)
        append(name)
        append(.equals)
    }

    private mutating func field(_ name: StaticString, _ value: Double?) {
        guard let value else { return }
        self.name(name)
        appendExact(value)
    }

    private mutating func field(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.name(name)
        appendExact(value)
    }

    private mutating func field(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        quoted(text)
    }

    /// In quotes; `\"`, `\\`, and `\x0a` for what cannot be seen.
    private mutating func quoted(_ text: String) {
        append(.quote)
        for byte in text.utf8 { escaped(byte) }
        append(.quote)
    }

    /// The same for a file's bytes, which need not be UTF-8.
    private mutating func quoted(_ bytes: [UInt8]) {
        append(.quote)
        for byte in bytes { escaped(byte, from: 0x7f) }
        append(.quote)
    }

    private mutating func escaped(_ byte: UInt8, from unseen: UInt8 = .max) {
        switch byte {
        case .quote, .backslash:
            append(.backslash)
            append(byte)
        case 0..<0x20, 0x7f, unseen...:
            append("\\x")
            append(hexDigit(byte >> 4))
            append(hexDigit(byte & 15))
        default: append(byte)
        }
    }

    private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
