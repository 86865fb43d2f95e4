/// What a source tells the pipeline, with the moment it was measured. Everything the pipeline ever learns
/// comes in as a reading, so the same readings give the same output.
package struct Reading: Hashable, Sendable {
    package var at: Instant
    package var content: Content

    package init(at: Instant, _ content: Content) {
        self.at = at
        self.content = content
    }

    /// The large and rare cases are kept apart, so that a sample stays small.
    package enum Content: Hashable, Sendable {
        /// A vector from the magnetometer, accelerometer or gyroscope.
        case sample(SensorSample)
        /// A magnetic heading that the device itself has compensated for tilt.
        case compass(CompassHeading)
        /// A fix, or the word of the receiver that it has none.
        indirect case fix(GpsFix)
        case satellites(SatelliteReport)
        /// A source opened its device or connection.
        indirect case opened(Source, SensorDescription?)
        /// A source has no device or connection (any more), and why.
        case lost(Source, reason: String)
        /// A source got something that it had to refuse.
        case refused(Source, Rejection)
        /// What is kept of the calibrations of the sensor that a source has just opened: its file, as it stands.
        case stored(Source, [UInt8])
        /// The wall clock, which enters here and nowhere else.
        case clock(UTCTime)
        /// What the operator asks for.
        indirect case command(OperatorCommand)
        /// What the trip had come to when the agent was last there.
        case trip(TripTotals)
    }
}

/// The four things the agent reads, each with a status topic of its own.
package enum Source: Int, CaseIterable, Sendable {
    case magnetometer, accelerometer, gyroscope, gps
}

extension Source {
    /// The name of its section, topic and diagnostics.
    package var name: String {
        switch self {
        case .magnetometer: "magnetometer"
        case .accelerometer: "accelerometer"
        case .gyroscope: "gyroscope"
        case .gps: "gps"
        }
    }
}

/// One vector in the sensor's own frame, after `(raw + offset) * scale`, before any mounting.
package struct SensorSample: Hashable, Sendable {
    package var source: Source
    /// Microtesla for a magnetometer, m/s² (specific force) for an accelerometer, rad/s for a gyroscope.
    package var vector: Vector3
    /// At least one axis stands at the end of its range, so the vector is not to be trusted.
    package var isSaturated: Bool

    package init(source: Source, vector: Vector3, isSaturated: Bool = false) {
        self.source = source
        self.vector = vector
        self.isSaturated = isSaturated
    }
}

/// A heading from a device that compensates for tilt itself (`in_rot_from_north_magnetic_tilt_comp`).
package struct CompassHeading: Hashable, Sendable {
    package var magnetic: Angle
    package init(magnetic: Angle) { self.magnetic = magnetic }
}

/// Which device a source opened.
package struct SensorDescription: Hashable, Sendable {
    /// The same after a reboot and a renumbering, for example `hmc5883l@1-001e`; a calibration belongs to it.
    package var identity: String
    /// The driver's name for the chip.
    package var name: String
    /// The kernel's mount matrix, where the driver shows one.
    package var mountMatrix: Matrix3?
    /// How it is read: `buffer`, `polled`, `simulated`.
    package var mode: String
    /// Readings a second.
    package var rate: Double
    package var sampling: Sampling

    package init(
        identity: String, name: String, mountMatrix: Matrix3?, mode: String, rate: Double,
        sampling: Sampling = .point
    ) {
        self.identity = identity
        self.name = name
        self.mountMatrix = mountMatrix
        self.mode = mode
        self.rate = rate
        self.sampling = sampling
    }
}

/// How a reading stands for time.
package enum Sampling: String, Hashable, Sendable {
    /// The value at its moment.
    case point
    /// The mean over a block of which its moment is the middle, one block next to the other.
    case blockMean
}

/// What a receiver says of one epoch (gpsd's TPV). Absent is unknown, never 0.
package struct GpsFix: Hashable, Sendable {
    package enum Mode: Int, Sendable { case none = 1, twoDimensional, threeDimensional }

    package var device: String?
    package var mode: Mode
    package var time: UTCTime?
    package var position: GeoPosition?
    /// Above mean sea level.
    package var altitude: Length?
    /// Above the WGS84 ellipsoid: the magnetic model's height.
    package var ellipsoidHeight: Length?
    package var speed: Speed?
    /// Course over ground, true.
    package var course: Angle?
    /// Half-widths of the 95 % interval, as gpsd estimates them.
    package var horizontalError: Length?
    package var speedError: Speed?
    package var courseError: Angle?

    package init(mode: Mode) { self.mode = mode }
}

/// What a receiver says of its satellites (gpsd's SKY; parts of an epoch too).
package struct SatelliteReport: Hashable, Sendable {
    package var device: String?
    package var used: Int?
    package var visible: Int?

    package init(device: String? = nil, used: Int? = nil, visible: Int? = nil) {
        self.device = device
        self.used = used
        self.visible = visible
    }
}
