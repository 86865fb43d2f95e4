/// One section of a calibration's file.
struct RecordText {
    let kind: String
    let line: Int
    private var entries: [String: (value: String, line: Int)] = [:]

    init(kind: String, line: Int) {
        self.kind = kind
        self.line = line
    }

    mutating func take(_ key: String, _ value: String, line: Int) throws(ArchiveFault) {
        guard entries.updateValue((value, line), forKey: key) == nil else {
            throw ArchiveFault(line: line, reason: "\(key) stands twice")
        }
    }

    // MARK: Reading

    func record() throws(ArchiveFault) -> CalibrationRecord {
        CalibrationRecord(
            sensor: try text("sensor"), time: entries["time"].flatMap { UTCTime(rfc3339: $0.value) },
            place: try place(), content: try content())
    }

    private func content() throws(ArchiveFault) -> CalibrationRecord.Content {
        switch CalibrationRecord.Kind(rawValue: kind) {
        case .magnetic: .magnetic(try magnetic())
        case .level: .level(LevelTilt(roll: try degrees("roll"), pitch: try degrees("pitch")))
        case .alignment:
            .alignment(
                Alignment(offset: try degrees("offset"), uncertainty: try degrees("uncertainty")))
        case .deviation: .deviation(try deviation())
        case nil: throw ArchiveFault(line: line, reason: "unknown section")
        }
    }

    private func magnetic() throws(ArchiveFault) -> MagneticRecord {
        MagneticRecord(
            calibration: MagneticCalibration(
                hardIron: try value("hard_iron", .vector(-1e6...1e6, "")),
                softIron: try value("soft_iron", .softIron),
                residual: try value("field_error", .microtesla(0...1000))),
            quality: try word("quality"), shape: try word("shape"),
            strength: try value("strength", .microtesla(0...1e6)), headingError: try degrees("heading_error"),
            coverage: try value("coverage", .number(0...100, "")) / 100,
            samples: try value("samples", .integer(0...1_000_000_000)))
    }

    private func deviation() throws(ArchiveFault) -> DeviationTable {
        DeviationTable(
            a: try degrees("a"), b: try degrees("b"), c: try degrees("c"), d: try degrees("d"),
            e: try degrees("e"), uncertainty: try degrees("uncertainty"))
    }

    private func place() throws(ArchiveFault) -> GeoPosition? {
        guard entries["latitude"] != nil || entries["longitude"] != nil else { return nil }
        return GeoPosition(
            clampedLatitude: try value("latitude", .degrees(-90...90)),
            longitude: try value("longitude", .degrees(-180...180)))
    }

    private func text(_ key: String) throws(ArchiveFault) -> String {
        guard let entry = entries[key] else { throw ArchiveFault(line: line, reason: "no \(key)") }
        return entry.value
    }

    private func degrees(_ key: String) throws(ArchiveFault) -> Angle {
        try value(key, .degrees(-360...360))
    }

    private func word<Word: RawRepresentable>(_ key: String) throws(ArchiveFault) -> Word
    where Word.RawValue == String {
        guard let word = Word(rawValue: try text(key)) else { throw fault(key, "unknown word") }
        return word
    }

    private func value<Value>(_ key: String, _ format: ValueFormat<Value>) throws(ArchiveFault) -> Value {
        let text = try text(key)
        do throws(ValueFault) { return try format.read(text) } catch { throw fault(key, error.reason) }
    }

    private func fault(_ key: String, _ reason: String) -> ArchiveFault {
        ArchiveFault(line: entries[key]?.line ?? line, reason: "\(key) \(reason)")
    }

    // MARK: Writing

    static func write(_ record: CalibrationRecord) -> String {
        var lines = ["[\(record.kind.rawValue)]", "sensor = \(ConfigLine.quoted(record.sensor))"]
        if let time = record.time {
            var bytes: [UInt8] = []
            bytes.appendRFC3339(time)
            lines.append("time = " + String(decoding: bytes, as: UTF8.self))
        }
        if let place = record.place {
            lines.append("latitude = \(decimalText(place.latitude.degrees, places: 5))")
            lines.append("longitude = \(decimalText(place.longitude.degrees, places: 5))")
        }
        return (lines + write(record.content)).joined(separator: "\n") + "\n"
    }

    private static func write(_ content: CalibrationRecord.Content) -> [String] {
        switch content {
        case .magnetic(let record): write(record)
        case .level(let tilt): [degrees("roll", tilt.roll), degrees("pitch", tilt.pitch)]
        case .alignment(let alignment):
            [degrees("offset", alignment.offset), degrees("uncertainty", alignment.uncertainty)]
        case .deviation(let table):
            [
                degrees("a", table.a), degrees("b", table.b), degrees("c", table.c), degrees("d", table.d),
                degrees("e", table.e), degrees("uncertainty", table.uncertainty),
            ]
        }
    }

    private static func write(_ record: MagneticRecord) -> [String] {
        [
            "quality = \(record.quality.rawValue)", "shape = \(record.shape.rawValue)",
            "# microtesla, the sensor's own frame",
            "hard_iron = " + ValueFormat.vector(-1e6...1e6, "").write(record.calibration.hardIron),
            "soft_iron = " + ValueFormat.softIron.write(record.calibration.softIron),
            "field_error = \(decimalText(record.calibration.residual.microtesla, places: 4))",
            "strength = \(decimalText(record.strength.microtesla, places: 3))",
            degrees("heading_error", record.headingError),
            "coverage = \(decimalText(record.coverage * 100, places: 1))", "samples = \(record.samples)",
        ]
    }

    private static func degrees(_ key: String, _ angle: Angle) -> String {
        "\(key) = \(decimalText(angle.degrees, places: 3))"
    }
}
