import Glibc

/// A plane angle. Made from degrees or radians and read as either; stored in radians.
///
/// An `Angle` is a number on the line, so turns can be counted (`.degrees(720)` is two turns).
/// Directions live on the circle: fold them with ``foldedPositive`` or ``foldedSigned``, and take
/// differences with ``shortest(from:to:)``, never with `-`.
package struct Angle: Quantity {
    package var radians: Double

    package init(radians: Double) { self.radians = radians }
    package static func radians(_ value: Double) -> Angle { Angle(radians: value) }
    package static func degrees(_ value: Double) -> Angle { Angle(radians: value * (.pi / 180)) }

    package var degrees: Double { radians * (180 / .pi) }
    package var si: Double {
        get { radians }
        set { radians = newValue }
    }
    package init(si: Double) { radians = si }

    package static let fullTurn = Angle(radians: 2 * .pi)
    package static let halfTurn = Angle(radians: .pi)
    package static let quarterTurn = Angle(radians: .pi / 2)

    /// The same direction in [0°, 360°): a heading, course or bearing. `-0.0` becomes `0.0`.
    ///
    /// A tiny negative angle would round up to exactly one turn in floating point; it becomes 0.
    package var foldedPositive: Angle {
        let turn = Angle.fullTurn.radians
        var folded = fmod(radians, turn)
        if folded < 0 { folded += turn }
        return Angle(radians: folded >= turn || folded == 0 ? 0 : folded)
    }

    /// The same direction in [-180°, 180°): a difference, a longitude, a roll.
    package var foldedSigned: Angle {
        let folded = foldedPositive.radians
        return Angle(radians: folded >= .pi ? folded - 2 * .pi : folded)
    }

    /// The turn that leads from one direction to another the short way round, in [-180°, 180°);
    /// positive is clockwise. A half turn is -180°.
    package static func shortest(from start: Angle, to end: Angle) -> Angle {
        Angle(radians: end.radians - start.radians).foldedSigned
    }

    /// The direction that lies `fraction` of the short arc on the way to `other`; folded to [0°, 360°).
    package func interpolated(to other: Angle, fraction: Double) -> Angle {
        (self + Angle.shortest(from: self, to: other) * fraction).foldedPositive
    }

    package var sine: Double { sin(radians) }
    package var cosine: Double { cos(radians) }
    package var tangent: Double { tan(radians) }

    /// The direction of a vector with these components: `atan2(east, north)` gives a heading.
    package static func direction(north: Double, east: Double) -> Angle {
        Angle(radians: atan2(east, north)).foldedPositive
    }
    /// The angle whose tangent is `rise / run`, in (-180°, 180°].
    package static func arcTangent(rise: Double, run: Double) -> Angle { Angle(radians: atan2(rise, run)) }
    /// `ratio` is clamped to [-1, 1], so that rounding never makes a NaN.
    package static func arcSine(_ ratio: Double) -> Angle { Angle(radians: asin(max(-1, min(1, ratio)))) }
}

extension Angle {
    /// Independent uncertainties add as squares.
    package func combined(with other: Angle) -> Angle {
        Angle(radians: (radians * radians + other.radians * other.radians).squareRoot())
    }
}
