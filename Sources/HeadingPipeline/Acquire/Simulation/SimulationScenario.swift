import Glibc

/// What the simulated vessel is and where it begins.
package struct SimulationScenario: Hashable, Sendable {
    package var field: SimulatedField
    /// Open water off Plymouth.
    package var start = GeoPosition(clampedLatitude: .degrees(50.3), longitude: .degrees(-4.2))
    package var seed: UInt64 = 1
    package var hasNoise = true
    /// `nil`: she has none.
    package var magnetometer: Sensor? = Sensor(rate: 20)
    package var accelerometer: Sensor? = Sensor(rate: 50)
    package var gyroscope: Sensor? = Sensor(rate: 50)
    package var hasReceiver = true
    package var sea = Sea()
    package var helm = Helm.voyage
    /// Iron or a magnet that the vessel passes; `nil`: open water.
    package var passing: PassingField?
    /// `nil`: all sensors say what is true.
    package var lie: SensorLie?
    /// What iron on board makes of the field in the magnetometer's frame: it is turned and stretched ...
    package var softIron = Matrix3.identity
    /// ... and this is added, in microtesla.
    package var hardIron = Vector3.zero
    /// Radians a second, body frame.
    package var gyroscopeBias = Vector3(0.002, -0.001, 0.0015)

    package struct Sensor: Hashable, Sendable {
        /// Readings a second.
        package var rate: Double
        /// Turns the sensor's frame into the body frame.
        package var mounting: Matrix3

        package init(rate: Double, mounting: Matrix3 = Settings.partsUp) {
            self.rate = rate
            self.mounting = mounting
        }
    }

    package init(field: SimulatedField) { self.field = field }

    /// The magnetic heading so long after the start.
    package func heading(after elapsed: Interval) -> Angle {
        VesselMotion(declination: field.declination, sea: sea, helm: helm).heading(at: elapsed.seconds)
            .foldedPositive
    }
}

/// Where the simulated vessel is steered.
package enum Helm: Hashable, Sendable {
    /// Legs and turns to all sides, again and again.
    case voyage
    /// Round and round to starboard, two minutes each.
    case circles
}

/// What wind and waves do to the vessel: amplitudes.
package struct Sea: Hashable, Sendable {
    package var roll = Angle.degrees(4)
    package var pitch = Angle.degrees(2.5)
    package var yaw = Angle.degrees(1.5)
    /// Away from the wind, when it is abeam.
    package var heel = Angle.degrees(9)
    /// To and fro across the keel, m/s.
    package var sway = Speed.zero

    package init() {}

    /// A harbour.
    package static let calm = Sea(roll: 0.4, pitch: 0.2, yaw: 0.3, heel: 0.5, sway: 0)
    /// A beam sea offshore.
    package static let rough = Sea(roll: 14, pitch: 6, yaw: 5, heel: 6, sway: 0.9)
    /// Close-hauled in a breeze.
    package static let heeled = Sea(roll: 3, pitch: 3, yaw: 2, heel: 28, sway: 0.2)

    private init(roll: Double, pitch: Double, yaw: Double, heel: Double, sway: Double) {
        self.roll = .degrees(roll)
        self.pitch = .degrees(pitch)
        self.yaw = .degrees(yaw)
        self.heel = .degrees(heel)
        self.sway = .metersPerSecond(sway)
    }
}

/// A field that comes and goes while the vessel passes something.
package struct PassingField: Hashable, Sendable {
    /// (magnetic north, magnetic east, down) in microtesla at its strongest.
    package var peak: Vector3
    /// Seconds since the start.
    package var start: Double
    package var duration: Double

    package init(peak: Vector3, start: Double, duration: Double) {
        self.peak = peak
        self.start = start
        self.duration = duration
    }

    /// Rises and falls as a squared half sine wave.
    func field(at seconds: Double) -> Vector3 {
        let progress = (seconds - start) / duration
        guard progress > 0, progress < 1 else { return .zero }
        let height = sin(.pi * progress)
        return peak * (height * height)
    }
}

/// The Earth's field in which the simulated vessel moves: the same everywhere.
package struct SimulatedField: Hashable, Sendable {
    package var horizontal: FluxDensity
    package var down: FluxDensity
    /// Positive east.
    package var declination: Angle

    package init(horizontal: FluxDensity, down: FluxDensity, declination: Angle) {
        self.horizontal = horizontal
        self.down = down
        self.declination = declination
    }
}
