/// What is known of the Earth's field where the vessel is.
package struct LocalField: Hashable, Sendable {
    /// Positive east.
    package var declination: Angle
    /// 1 sigma.
    package var declinationUncertainty: Angle
    package var source: DeclinationSource
    /// `nil` while no position is known.
    package var expected: ExpectedField?
    /// The declination comes from a model whose years are over.
    package var isExpired: Bool

    /// The raw value is the one that is published.
    package enum DeclinationSource: String, Sendable {
        case model = "WMM2025"
        case manual
    }

    init(_ elements: MagneticElements, isExpired: Bool) {
        declination = elements.declination
        declinationUncertainty = elements.declinationUncertainty
        source = .model
        expected = ExpectedField(elements)
        self.isExpired = isExpired
    }

    /// A declination that the operator gives is taken as it is. It is not better known than the best model's:
    /// no chart has the crust beneath the vessel either.
    init(manual declination: Angle, elements: MagneticElements?) {
        self.declination = declination
        declinationUncertainty =
            elements.map { MagneticElements.declinationUncertainty(horizontal: $0.horizontal) }
            ?? Self.uncertaintyAnywhere
        source = .manual
        expected = elements.map(ExpectedField.init)
        isExpired = false
    }

    /// The model's own where the horizontal field is 12 700 nT, as in Iceland; lower latitudes have more.
    private static let uncertaintyAnywhere = Angle.degrees(0.5)
}

/// The field that an undisturbed magnetometer measures.
package struct ExpectedField: Hashable, Sendable {
    package var horizontal: FluxDensity
    package var total: FluxDensity
    /// Positive down.
    package var inclination: Angle
    package var zone: MagneticElements.Zone

    init(_ elements: MagneticElements) {
        horizontal = elements.horizontal
        total = elements.total
        inclination = elements.inclination
        zone = elements.zone
    }
}
