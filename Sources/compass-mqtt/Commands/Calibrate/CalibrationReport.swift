import HeadingPipeline

/// The whole result of a calibration as text and as JSON.
struct CalibrationReport {
    let fit: CalibrationFit
    let source: String
    /// What the raw vectors are in, and what the calibrated ones are in.
    let rawUnit: String
    let unit: String
    let notes: [String]

    init(_ fit: CalibrationFit, source: String, unit: String, notes: [String]) {
        self.fit = fit
        self.source = source
        rawUnit = unit
        // The model's strength is in microtesla, and so is what was scaled by it.
        self.unit = fit.scale == nil ? unit : "µT"
        self.notes = notes
    }

    // MARK: Text

    var text: String {
        var lines = [
            row("verdict", fit.verdict.word.uppercasedFirst),
            row("from", "\(source), \(fit.samples) samples, \(fit.outliers) left out as outliers"),
            row("shape", fit.shape.text),
            row("hard iron", vector(fit.calibration.hardIron, places: 3) + " \(rawUnit)"),
        ]
        let matrix = fit.calibration.softIron
        let rows = [matrix.rowX, matrix.rowY, matrix.rowZ].map { vector($0, places: 5) }
        lines += [row("soft iron", rows[0]), row("", rows[1]), row("", rows[2])]
        lines += [
            row("strength", quantity(fit.strength, places: 2) + expectedText),
            row(
                "residual",
                "\(quantity(fit.residual, places: 3)), \(decimalText(fit.headingError.degrees, places: 2))° of"
                    + " heading where the horizontal field is \(quantity(fit.horizontalField, places: 1))"),
            row("coverage", "\(decimalText(fit.coverage * 100, places: 0)) % of \(fit.shape.whole)"),
            row(
                "certainty",
                "offset known to \(quantity(fit.offsetUncertainty, places: 3)) (1 sigma),"
                    + " condition \(decimalText(fit.condition, places: 1))"),
        ]
        if let dip = fit.dip { lines.append(row("dip", dipText(dip))) }
        lines += fit.verdict.shortcomings.map { row("missing", $0.text) }
        lines += notes.map { row("note", $0) }
        return (lines + settingLines).joined(separator: "\n") + "\n"
    }

    /// The Earth's field, in microtesla, and what housings make of it.
    private static let earthly = 10.0...150

    private var settingLines: [String] {
        guard fit.isUsable else { return [] }
        // The config takes microtesla.
        guard rawUnit == "µT", Self.earthly.contains(fit.strength.microtesla) else { return [] }
        let matrix = fit.calibration.softIron
        let rows = [matrix.rowX, matrix.rowY, matrix.rowZ].map { vector($0, places: 6) }
        return [
            "", "# for the config file", "[magnetometer]",
            "hard_iron = \(vector(fit.calibration.hardIron, places: 4))",
            "soft_iron = \(rows.joined(separator: "; "))",
            "calibration_residual = \(decimalText(fit.calibration.residual.microtesla, places: 3))",
        ]
    }

    private var expectedText: String {
        guard let expected = fit.expected, let scale = fit.scale else { return "" }
        return ", set from the model's \(decimalText(expected.strength.microtesla, places: 2)) µT here"
            + " (scale \(decimalText(scale, places: 4)))"
    }

    private func dipText(_ dip: DipMeasurement) -> String {
        let expected = fit.expected.map {
            ", \(decimalText($0.inclination.degrees, places: 1))° by the model"
        }
        return "\(decimalText(dip.mean.degrees, places: 1))°, varies by"
            + " \(decimalText(dip.scatter.degrees, places: 1))°\(expected ?? "")"
    }

    private func row(_ name: String, _ value: String) -> String {
        name + String(repeating: " ", count: 12 - name.count) + value
    }

    private func quantity(_ value: FluxDensity, places: Int) -> String {
        "\(decimalText(value.microtesla, places: places)) \(unit)"
    }

    private func vector(_ vector: Vector3, places: Int) -> String {
        [vector.x, vector.y, vector.z].map { decimalText($0, places: places) }.joined(separator: " ")
    }

    // MARK: JSON

    var json: String {
        var writer = PayloadWriter()
        writer.begin()
        writer.text("verdict", fit.verdict.word)
        writer.text("missing", fit.verdict.shortcomings.map(\.text).joined(separator: "; "))
        writer.text("shape", fit.shape.word)
        if case .levelTurn(let normal) = fit.shape {
            writer.numbers("plane_normal", [normal.x, normal.y, normal.z], places: 5)
        }
        writer.text("raw_unit", rawUnit)
        writer.text("unit", unit)
        let hardIron = fit.calibration.hardIron
        writer.numbers("hard_iron", [hardIron.x, hardIron.y, hardIron.z], places: 6)
        writer.matrix("soft_iron", fit.calibration.softIron, places: 8)
        writer.number("strength", fit.strength.microtesla, places: 6)
        writer.number("expected_strength", fit.expected?.strength.microtesla, places: 3)
        writer.number("scale", fit.scale, places: 6)
        writer.number("residual", fit.residual.microtesla, places: 6)
        writer.number("residual_heading", fit.headingError.degrees, places: 3)
        writer.number("horizontal", fit.horizontalField.microtesla, places: 3)
        writer.number("coverage", fit.coverage * 100, places: 1)
        writer.number("condition", fit.condition, places: 2)
        writer.number("offset_uncertainty", fit.offsetUncertainty.microtesla, places: 6)
        writer.number("axis_ratio", fit.axisRatio, places: 4)
        writer.number("dip", fit.dip?.mean.degrees, places: 2)
        writer.number("dip_scatter", fit.dip?.scatter.degrees, places: 2)
        writer.number("expected_dip", fit.expected?.inclination.degrees, places: 2)
        writer.number("samples", fit.samples)
        writer.number("outliers", fit.outliers)
        writer.text("notes", notes.joined(separator: "; "))
        writer.end()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}

extension CalibrationFit.Shape {
    var word: String {
        switch self {
        case .ellipsoid: "ellipsoid"
        case .sphere: "sphere"
        case .levelTurn: "level_turn"
        }
    }

    fileprivate var text: String {
        switch self {
        case .ellipsoid: return "ellipsoid: hard and soft iron"
        case .sphere: return "sphere: hard iron only, the cloud tells no more"
        case .levelTurn(let normal):
            let components = [normal.x, normal.y, normal.z].map { decimalText($0, places: 2) }
            return "level turn: hard and soft iron in the plane across (\(components.joined(separator: " ")))"
                + " of the sensor; good while the vessel is level"
        }
    }

    fileprivate var whole: String { isLevelTurn ? "the circle" : "all directions" }
}

extension String {
    fileprivate var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }
}
