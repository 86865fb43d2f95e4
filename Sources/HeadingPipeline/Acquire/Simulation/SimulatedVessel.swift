/// A vessel under way with all its sensors, for trying the agent without hardware and for tests that need to
/// know the truth. The same scenario gives the same readings, byte for byte.
package struct SimulatedVessel: Sendable {
    private let motion: VesselMotion
    private let sensors: SimulatedSensors
    private var receiver: SimulatedReceiver
    private let start: Instant
    private let startTime: UTCTime
    private var streams: [Stream]
    private var isOpen = false
    private var position: GeoPosition
    private var positionAge = 0.0
    private var noise: SeededNoise

    private struct Stream {
        let source: Source
        let rate: Double
        var due: Instant
        var period: Interval { .seconds(1 / rate) }
    }

    package init(_ scenario: SimulationScenario, startingAt start: Instant, time: UTCTime) {
        self.start = start
        startTime = time
        motion = VesselMotion(
            declination: scenario.field.declination, sea: scenario.sea, helm: scenario.helm)
        sensors = SimulatedSensors(scenario, motion)
        receiver = SimulatedReceiver(isNoisy: scenario.hasNoise)
        position = scenario.start
        noise = SeededNoise(seed: scenario.seed)
        streams = Source.allCases.compactMap { source in
            scenario.rate(of: source).map { Stream(source: source, rate: $0, due: start) }
        }
    }

    /// When the next reading will be there; `nil` for a vessel without any sensor.
    package var nextDue: Instant? { streams.min { $0.due < $1.due }?.due }

    /// Delivers all readings up to and including `end`, in the order of their time.
    package mutating func advance(to end: Instant, deliver: (Reading) -> Void) {
        if !isOpen { open(deliver) }
        while let next = streams.indices.min(by: { streams[$0].due < streams[$1].due }),
            streams[next].due <= end
        {
            let now = streams[next].due
            streams[next].due = now + streams[next].period
            move(to: now)
            read(streams[next].source, at: now, deliver)
        }
    }

    private mutating func open(_ deliver: (Reading) -> Void) {
        isOpen = true
        for stream in streams {
            let description = SensorDescription(
                identity: "simulated-\(stream.source)", name: "simulated", mountMatrix: nil,
                mode: "simulated", rate: stream.rate)
            deliver(Reading(at: start, .opened(stream.source, description)))
        }
    }

    private mutating func read(_ source: Source, at now: Instant, _ deliver: (Reading) -> Void) {
        if source == .gps { return readReceiver(at: now, deliver) }
        let seconds = (now - start).seconds
        guard let vector = sensors.vector(source, at: seconds, noise: &noise) else { return }
        deliver(Reading(at: now, .sample(SensorSample(source: source, vector: vector))))
    }

    private mutating func readReceiver(at now: Instant, _ deliver: (Reading) -> Void) {
        let elapsed = now - start
        let velocity = motion.velocity(at: elapsed.seconds)
        let fix = receiver.fix(
            at: position, velocity: velocity, time: startTime + elapsed, noise: &noise)
        deliver(Reading(at: now, .fix(fix)))
        deliver(Reading(at: now, .satellites(receiver.satellites)))
    }

    // MARK: Truth

    /// Along the ellipsoid, with the velocity in the middle of the step.
    private mutating func move(to now: Instant) {
        let seconds = (now - start).seconds
        let step = seconds - positionAge
        guard step > 0 else { return }
        let velocity = motion.velocity(at: positionAge + step / 2) * step
        position = position.moved(north: .meters(velocity.x), east: .meters(velocity.y))
        positionAge = seconds
    }

    /// What the sensors would say if they were perfect, at the last reading.
    package var truth: Truth {
        let attitude = motion.attitude(at: positionAge)
        let velocity = motion.velocity(at: positionAge)
        return Truth(
            magneticHeading: attitude.heading.foldedPositive, pitch: attitude.pitch, roll: attitude.roll,
            rotation: motion.rotation(at: positionAge),
            speed: .metersPerSecond((velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()),
            course: .direction(north: velocity.x, east: velocity.y), position: position)
    }

    package struct Truth: Hashable, Sendable {
        package var magneticHeading: Angle
        package var pitch: Angle
        package var roll: Angle
        /// Radians a second, body frame.
        package var rotation: Vector3
        /// Over ground.
        package var speed: Speed
        /// Over ground, true.
        package var course: Angle
        package var position: GeoPosition
    }
}

extension GeoPosition {
    /// A small step along the ellipsoid.
    fileprivate func moved(north: Length, east: Length) -> GeoPosition {
        let parallel = WGS84.primeVerticalRadius(latitude: latitude) * latitude.cosine
        return GeoPosition(
            clampedLatitude: latitude + .radians(north / WGS84.meridianRadius(latitude: latitude)),
            longitude: longitude + .radians(east / parallel))
    }
}
