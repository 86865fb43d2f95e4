import HeadingPipeline

/// A pipeline with its publisher, fed reading by reading, and all that it has said.
struct Boat {
    var pipeline: Pipeline
    var publisher: Publisher
    var now = Instant(nanoseconds: 1_000_000_000)
    private(set) var messages: [(topic: Topic, payload: String, at: Instant)] = []

    init(_ settings: Settings = Settings(), buildDate: UTCTime = UTCTime(year: 2026, month: 11, day: 1)) {
        pipeline = Pipeline(settings: settings, buildDate: buildDate)
        publisher = Publisher(settings: settings)
    }

    mutating func take(_ content: Reading.Content) {
        collect { pipeline, publisher, now, deliver in
            publisher.take(pipeline.take(Reading(at: now, content)), at: now, deliver: deliver)
        }
    }

    mutating func wait(_ interval: Interval) {
        now = now + interval
        collect { pipeline, publisher, now, deliver in
            while let change = pipeline.nextStale(at: now) {
                publisher.take(change, at: now, deliver: deliver)
            }
            publisher.flush(at: now, deliver: deliver)
        }
    }

    /// A calibrated magnetometer in the body frame: the default axes undone.
    mutating func magnetometer(_ bodyFrame: Vector3, saturated: Bool = false) {
        let sensorFrame = Settings.partsUp * bodyFrame
        take(.sample(SensorSample(source: .magnetometer, vector: sensorFrame, isSaturated: saturated)))
    }

    mutating func accelerometer(_ bodyFrame: Vector3) {
        take(.sample(SensorSample(source: .accelerometer, vector: Settings.partsUp * bodyFrame)))
    }

    mutating func gyroscope(_ bodyFrame: Vector3) {
        take(.sample(SensorSample(source: .gyroscope, vector: Settings.partsUp * bodyFrame)))
    }

    /// Readings of a resting body at 20 Hz.
    mutating func rest(_ body: Body, seconds: Double, field: Vector3 = Body.plymouth) {
        for _ in 0..<Int(seconds * 20) {
            wait(.milliseconds(50))
            accelerometer(body.specificForce)
            magnetometer(body.field(field))
        }
    }

    mutating func fix(_ latitude: Double, _ longitude: Double, time: UTCTime? = nil) {
        var fix = GpsFix(mode: .threeDimensional)
        fix.position = GeoPosition(latitude: .degrees(latitude), longitude: .degrees(longitude))
        fix.time = time
        take(.fix(fix))
    }

    private mutating func collect(
        _ step: (inout Pipeline, inout Publisher, Instant, Publisher.Delivery) -> Void
    ) {
        var new: [(Topic, String, Instant)] = []
        let moment = now
        step(&pipeline, &publisher, now) { new.append(($0, String(decoding: $1, as: UTF8.self), moment)) }
        messages += new
    }

    func payloads(_ topic: Topic) -> [String] { messages.filter { $0.topic == topic }.map(\.payload) }
    func last(_ topic: Topic) -> String? { payloads(topic).last }
    func count(_ topic: Topic) -> Int { payloads(topic).count }

    /// A member of the newest payload as it stands there: `118.6`, `true`, `"good"`.
    func member(_ name: String, of topic: Topic) -> String? {
        guard let payload = last(topic), let key = payload.firstRange(ofText: "\"\(name)\":") else {
            return nil
        }
        return String(payload[key...].prefix { $0 != "," && $0 != "}" })
    }

    func number(_ name: String, of topic: Topic) -> Double? { member(name, of: topic).flatMap(Double.init) }

    /// Settings with a calibration that changes nothing, so that a heading is worth something.
    static func calibrated(_ change: (inout Settings) -> Void = { _ in }) -> Settings {
        var settings = Settings()
        settings.magnetometer.hardIron = .zero
        settings.heading.smoothing = .zero
        change(&settings)
        return settings
    }
}

extension String {
    /// Where the text after the first `text` begins.
    fileprivate func firstRange(ofText text: String) -> Index? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
