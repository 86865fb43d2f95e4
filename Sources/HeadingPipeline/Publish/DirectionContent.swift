/// A direction on the circle: the three headings and the course.
struct DirectionContent: TopicContent {
    enum Kind: Hashable {
        case shown(Settings.Reference, HeadingQuality)
        case magnetic(HeadingQuality)
        case trueNorth(declination: Angle?)
        case course
    }

    var time: UTCTime?
    var direction: Angle?
    var accuracy: Angle?
    var kind: Kind

    func change(from sent: DirectionContent, _ deadbands: Deadbands) -> Throttle.Change {
        if kind.isNews(after: sent.kind) { return .urgent }
        return Throttle.Change.between(sent.direction, direction) {
            Throttle.Change(
                Angle.shortest(from: $0, to: $1), deadband: deadbands.angle, step: .degrees(0.1))
        }.or(.ofAccuracy(sent.accuracy, accuracy))
    }

    func write(to writer: inout PayloadWriter, _ units: Settings.Units) {
        writer.direction("value", direction)
        writer.word("unit", "°")
        writer.number("accuracy", accuracy?.degrees, places: 1)
        writer.time("time", time)
        switch kind {
        case .shown(let reference, let quality):
            writer.word("reference", reference == .trueNorth ? "true" : "magnetic")
            writer.word("cardinal", direction?.cardinal)
            writer.text("quality", quality.rawValue)
        case .magnetic(let quality): writer.text("quality", quality.rawValue)
        case .trueNorth(let declination): writer.number("declination", declination?.degrees, places: 2)
        case .course: break
        }
    }
}

extension DirectionContent.Kind {
    /// Another reference or another quality must be told at once.
    fileprivate func isNews(after sent: Self) -> Bool {
        switch (self, sent) {
        case (.trueNorth, .trueNorth), (.course, .course): false
        default: self != sent
        }
    }
}

extension PayloadWriter {
    /// One decimal in 0.0 ... 359.9: what rounds up to a full turn is 0.0.
    mutating func direction(_ name: StaticString, _ direction: Angle?) {
        let tenths = direction.map { ($0.foldedPositive.degrees * 10).rounded(.toNearestOrAwayFromZero) }
        number(name, tenths.map { $0 >= 3600 ? 0 : $0 / 10 }, places: 1)
    }
}

extension Angle {
    /// The nearest of the sixteen points of the compass: N, NNE ... NNW.
    package var cardinal: StaticString {
        let point = (foldedPositive.degrees / 22.5).rounded()
        return switch point.isFinite ? Int(point) % 16 : 0 {
        case 0: "N"
        case 1: "NNE"
        case 2: "NE"
        case 3: "ENE"
        case 4: "E"
        case 5: "ESE"
        case 6: "SE"
        case 7: "SSE"
        case 8: "S"
        case 9: "SSW"
        case 10: "SW"
        case 11: "WSW"
        case 12: "W"
        case 13: "WNW"
        case 14: "NW"
        default: "NNW"
        }
    }
}

extension PayloadWriter {
    fileprivate mutating func word(_ name: StaticString, _ value: StaticString?) {
        if let value { word(name, value) } else { null(name) }
    }
}
