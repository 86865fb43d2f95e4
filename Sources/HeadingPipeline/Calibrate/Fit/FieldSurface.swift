/// The shape on which the raw field of a sensor lies while it is turned about in a constant field, with
/// unknowns that a fit moves.
protocol FieldSurface: Sendable {
    var unknowns: Int { get }
    /// The field's strength on it, on the whole.
    var radius: Double { get }
    /// How far outside the surface a point lies, in the field's unit (less than 0: inside), and how that
    /// changes with each unknown.
    func distance(of point: Vector3, gradient: inout [Double]) -> Double
    /// `nil` where that is no surface any more.
    func moved(by step: [Double]) -> Self?
}

extension FieldSurface {
    func distances(of points: [Vector3]) -> [Double] {
        var gradient = [Double](repeating: 0, count: unknowns)
        return points.map { distance(of: $0, gradient: &gradient) }
    }
}
