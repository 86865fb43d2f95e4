/// What the pipeline has to say after a reading: only what that reading changed is there.
package struct Measurements: Sendable {
    package var heading: HeadingMeasurement?
    package var attitude: AttitudeMeasurement?
    package var rateOfTurn: RateMeasurement?
    package var field: FieldMeasurement?
    package var speed: SpeedMeasurement?
    package var course: CourseMeasurement?
    package var position: PositionMeasurement?
    package var declination: DeclinationMeasurement?
    package var status: StatusChange?
    package var destination: DestinationNews?
    package var steer: SteerNews?
    package var trip: TripMeasurement?
    /// All of them, after a command to one.
    package var settings: Settings.Heading?

    package init() {}
}

/// A source went online or offline.
package struct StatusChange: Sendable {
    package var source: Source
    package var isOnline: Bool
    package init(source: Source, isOnline: Bool) {
        self.source = source
        self.isOnline = isOnline
    }
}

package struct HeadingMeasurement: Hashable, Sendable {
    package var time: UTCTime?
    package var magnetic: Angle
    /// Half-width of the 95 % interval.
    package var magneticAccuracy: Angle
    package var quality: HeadingQuality
    /// `nil` while no declination is known.
    package var trueNorth: TrueHeading?
    /// The one to show, where true is known; else magnetic.
    package var prefersTrue: Bool

    package struct TrueHeading: Hashable, Sendable {
        package var heading: Angle
        package var accuracy: Angle
        package var declination: Angle

        package init(heading: Angle, accuracy: Angle, declination: Angle) {
            self.heading = heading
            self.accuracy = accuracy
            self.declination = declination
        }
    }

    package init(
        time: UTCTime?, magnetic: Angle, magneticAccuracy: Angle, quality: HeadingQuality,
        trueNorth: TrueHeading?, prefersTrue: Bool
    ) {
        self.time = time
        self.magnetic = magnetic
        self.magneticAccuracy = magneticAccuracy
        self.quality = quality
        self.trueNorth = trueNorth
        self.prefersTrue = prefersTrue
    }

    /// Nobody knows any more where the bow points.
    mutating func loseWorth() {
        quality = .bad
        magneticAccuracy = .halfTurn
        trueNorth?.accuracy = .halfTurn
    }

    /// Where it is the one to show.
    var shownTrue: TrueHeading? { prefersTrue ? trueNorth : nil }
    package var shownHeading: Angle { shownTrue?.heading ?? magnetic }
    package var shownReference: Settings.Reference { shownTrue == nil ? .magnetic : .trueNorth }
}

package struct AttitudeMeasurement: Hashable, Sendable {
    package var time: UTCTime?
    package var roll: Angle
    package var pitch: Angle
    package var accuracy: Angle
}

package struct RateMeasurement: Hashable, Sendable {
    package var time: UTCTime?
    package var rate: AngularRate
    package var accuracy: AngularRate
}

package struct FieldMeasurement: Hashable, Sendable {
    package var time: UTCTime?
    package var strength: FluxDensity
    /// `nil` without a calibration.
    package var accuracy: FluxDensity?
    package var inclination: Angle?
    package var expected: ReferenceField?
    package var isDisturbed: Bool
    package var scaleSuspicion: Double?
}

package struct SpeedMeasurement: Hashable, Sendable {
    package var time: UTCTime?
    /// Over ground; `nil`: not known, though there is a fix.
    package var speed: SpeedOverGround?

    package init(_ speed: SpeedOverGround?, time: UTCTime?) {
        self.speed = speed
        self.time = time
    }
}

package struct CourseMeasurement: Hashable, Sendable {
    package var time: UTCTime?
    /// Over ground, true; `nil` at rest.
    package var course: CourseOverGround?

    package init(_ course: CourseOverGround?, time: UTCTime?) {
        self.course = course
        self.time = time
    }
}

package struct PositionMeasurement: Hashable, Sendable {
    package var time: UTCTime?
    package var position: GeoPosition
    /// Radius of the 95 % circle.
    package var accuracy: Length
    /// Above mean sea level.
    package var altitude: Length?
    package var isThreeDimensional: Bool
    package var satellites: Int?

    package init(_ navigation: Navigation, time: UTCTime?) {
        self.time = time
        position = navigation.position
        accuracy = navigation.horizontalAccuracy
        altitude = navigation.altitude
        isThreeDimensional = navigation.mode == .threeDimensional
        satellites = navigation.satellites
    }
}

package struct DeclinationMeasurement: Hashable, Sendable {
    package var time: UTCTime?
    package var declination: Angle
    /// Half-width of the 95 % interval.
    package var accuracy: Angle
    package var source: LocalField.DeclinationSource
    /// The date lies beyond the model's years.
    package var isExpired: Bool
}
