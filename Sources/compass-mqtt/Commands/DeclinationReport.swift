import HeadingPipeline

/// The model's answer to one query as text.
struct DeclinationReport {
    enum Style { case people, columns, json }

    private let query: FieldQuery
    private let elements: MagneticElements
    private let model = MagneticModel.wmm2025

    init(_ query: FieldQuery) {
        self.query = query
        elements = model.elements(
            at: query.position, height: query.height, decimalYear: query.decimalYear)
    }

    func text(_ style: Style) -> String {
        switch style {
        case .people: forPeople
        case .columns: columns
        case .json: json
        }
    }

    /// Why the answer is worth less than others.
    var doubt: String? {
        guard !model.validity.contains(query.decimalYear) else { return nil }
        let years = "\(Int(model.validity.lowerBound)) to \(Int(model.validity.upperBound))"
        return
            "\(decimalText(query.decimalYear, places: 3)) is outside \(model.name), which holds from \(years)"
    }

    // Enough to compare with other programs to 1e-6 degrees and 1e-4 nT.
    private func degrees(_ angle: Angle) -> String { decimalText(angle.degrees, places: 7) }
    private func nanotesla(_ field: FluxDensity) -> String { decimalText(field.nanotesla, places: 5) }

    private var columns: String {
        let change = elements.yearlyChange
        let value = [
            degrees(elements.declination), degrees(elements.inclination), nanotesla(elements.horizontal),
            nanotesla(elements.north), nanotesla(elements.east), nanotesla(elements.down),
            nanotesla(elements.total),
        ]
        let rates = [
            degrees(change.declination), degrees(change.inclination), nanotesla(change.horizontal),
            nanotesla(change.north), nanotesla(change.east), nanotesla(change.down), nanotesla(change.total),
        ]
        return (value + rates + [degrees(elements.declinationUncertainty)]).joined(separator: " ")
    }

    private var json: String {
        let change = elements.yearlyChange
        let rates = object([
            ("declination", degrees(change.declination)), ("inclination", degrees(change.inclination)),
            ("horizontal", nanotesla(change.horizontal)), ("north", nanotesla(change.north)),
            ("east", nanotesla(change.east)), ("down", nanotesla(change.down)),
            ("total", nanotesla(change.total)),
        ])
        return object([
            ("model", "\"\(model.name)\""), ("latitude", degrees(query.position.latitude)),
            ("longitude", degrees(query.position.longitude)),
            ("height", decimalText(query.height.meters, places: 3)),
            ("year", decimalText(query.decimalYear, places: 9)),
            ("declination", degrees(elements.declination)), ("inclination", degrees(elements.inclination)),
            ("horizontal", nanotesla(elements.horizontal)), ("north", nanotesla(elements.north)),
            ("east", nanotesla(elements.east)), ("down", nanotesla(elements.down)),
            ("total", nanotesla(elements.total)), ("yearly_change", rates),
            ("declination_uncertainty", degrees(elements.declinationUncertainty)),
            ("zone", "\"\(elements.zone.rawValue)\""), ("valid", "\(doubt == nil)"),
        ])
    }

    private func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    private var forPeople: String {
        let change = elements.yearlyChange
        let latitude = decimalText(query.position.latitude.degrees, places: 5)
        let longitude = decimalText(query.position.longitude.degrees, places: 5)
        let height = decimalText(query.height.meters, places: 0)
        let year = decimalText(query.decimalYear, places: 3)
        let uncertainty = decimalText(elements.declinationUncertainty.degrees, places: 2)
        return """
            \(model.name) at \(latitude) \(longitude), \(height) m above the ellipsoid, \(year)
            declination   \(line(elements.declination, change.declination)) (\(nautical(elements.declination)))
            inclination   \(line(elements.inclination, change.inclination))
            horizontal H  \(line(elements.horizontal, change.horizontal))
            total F       \(line(elements.total, change.total))
            uncertainty   \(uncertainty)° of the declination, 1 sigma\(zoneRemark)
            """
    }

    private func line(_ value: Angle, _ change: Angle) -> String {
        "\(decimalText(value.degrees, places: 1))°, \(decimalText(change.degrees, places: 2))° a year"
    }

    private func line(_ value: FluxDensity, _ change: FluxDensity) -> String {
        let rate = decimalText(change.nanotesla, places: 1)
        return "\(decimalText(value.nanotesla, places: 1)) nT, \(rate) nT a year"
    }

    /// As charts write it: 14°51' E.
    private func nautical(_ declination: Angle) -> String {
        let minutes = Int((abs(declination.degrees) * 60).rounded())
        let side = minutes == 0 ? "" : declination < .zero ? " W" : " E"
        return "\(minutes / 60)°\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)'\(side)"
    }

    private var zoneRemark: String {
        switch elements.zone {
        case .normal: ""
        case .caution: "\ncaution zone: the horizontal field is weak, a compass may err"
        case .blackout: "\nblackout zone: the horizontal field is too weak for a compass"
        }
    }
}
