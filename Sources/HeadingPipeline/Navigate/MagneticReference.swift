/// What the Earth's field should be where the vessel is: the declination for true heading, and the strength
/// and dip that tell a disturbance. It keeps the last position, and asks the model again only when position,
/// height or date have moved enough to matter.
package struct MagneticReference: Sendable {
    /// `nil` while there is neither a position nor a declination from the operator.
    package private(set) var field: LocalField?
    /// How often the model was evaluated.
    package private(set) var evaluations = 0
    private let model: MagneticModel
    private let manualDeclination: Angle?
    private var dates: DateReckoning
    private var place: Place?
    private var evaluated: Evaluated?

    private struct Place {
        var position: GeoPosition
        var height: Length
    }

    private struct Evaluated {
        var place: Place
        var date: UTCTime

        /// A kilometre is 0.02° of declination in most waters, half a degree next to a pole; a day is 0.001°.
        func isNear(_ other: Place, _ date: UTCTime) -> Bool {
            place.position.isWithin(.kilometers(1), of: other.position)
                && (place.height - other.height).magnitude < .meters(500)
                && max(date - self.date, self.date - date) < .seconds(86_400)
        }
    }

    package init(settings: Settings.Heading, buildDate: UTCTime, model: MagneticModel = .wmm2025) {
        self.model = model
        manualDeclination = settings.declination
        dates = DateReckoning(buildDate: buildDate)
        field = manualDeclination.map { LocalField(manual: $0, elements: nil) }
    }

    /// The epochs of 1024 weeks that were added to the receiver's last date; 0 where it was right.
    package var receiverEpochsAdded: Int { dates.receiverEpochsAdded }

    /// The day that is reckoned with.
    package func date(at now: Instant) -> UTCTime { dates.date(at: now) }

    /// Takes what a fix tells. `height` is above the ellipsoid, or above the sea where only that is known
    /// (107 m apart at most, which is nothing here).
    package mutating func update(
        position: GeoPosition?, height: Length?, receiverTime: UTCTime?, at now: Instant
    ) {
        if let receiverTime { dates.receiver(receiverTime, at: now) }
        if let position { place = Place(position: position, height: height ?? place?.height ?? .zero) }
        refresh(at: now)
    }

    package mutating func update(wallClock: UTCTime, at now: Instant) {
        dates.wallClock(wallClock, at: now)
        refresh(at: now)
    }

    private mutating func refresh(at now: Instant) {
        guard let place else { return }
        let date = dates.date(at: now)
        if let evaluated, evaluated.isNear(place, date) { return }
        let year = date.decimalYear
        let elements = model.elements(at: place.position, height: place.height, decimalYear: year)
        // A height that no report should hold (a damaged recording) has no field.
        guard elements.total.nanotesla.isFinite, elements.total > .zero else { return }
        evaluated = Evaluated(place: place, date: date)
        evaluations += 1
        field =
            manualDeclination.map { LocalField(manual: $0, elements: elements) }
            ?? LocalField(elements, isExpired: year > model.validity.upperBound)
    }
}

extension GeoPosition {
    /// On the sphere, by an estimate that never comes out too short where it matters.
    fileprivate func isWithin(_ limit: Length, of other: GeoPosition) -> Bool {
        let north = latitude - other.latitude
        let east = Angle.shortest(from: other.longitude, to: longitude) * latitude.cosine
        let radians = (north.radians * north.radians + east.radians * east.radians).squareRoot()
        return WGS84.equatorialRadius * radians < limit
    }
}
