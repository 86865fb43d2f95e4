/// A physical quantity: one number in its SI unit behind a type of its own, so that degrees, knots and
/// metres cannot be mixed up between stages.
package protocol Quantity: AdditiveArithmetic, Comparable, Hashable, Sendable {
    /// The value in the coherent SI unit (radian, metre, metre per second, tesla, radian per second).
    var si: Double { get set }
    init(si: Double)
}

extension Quantity {
    package static var zero: Self { Self(si: 0) }
    package static func + (a: Self, b: Self) -> Self { Self(si: a.si + b.si) }
    package static func - (a: Self, b: Self) -> Self { Self(si: a.si - b.si) }
    package static func * (a: Self, factor: Double) -> Self { Self(si: a.si * factor) }
    package static func * (factor: Double, a: Self) -> Self { Self(si: a.si * factor) }
    package static func / (a: Self, divisor: Double) -> Self { Self(si: a.si / divisor) }
    /// The ratio of two quantities of one kind: a plain number.
    package static func / (a: Self, b: Self) -> Double { a.si / b.si }
    package static prefix func - (a: Self) -> Self { Self(si: -a.si) }
    package static func < (a: Self, b: Self) -> Bool { a.si < b.si }
    package var magnitude: Self { Self(si: abs(si)) }
    package var isFinite: Bool { si.isFinite }
}
