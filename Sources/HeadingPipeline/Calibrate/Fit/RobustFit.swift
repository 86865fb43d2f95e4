/// A surface fitted to points some of which may be wrong: weighted Gauss-Newton steps with Marquardt's damping.
/// A point's weight falls with its distance beyond 2.5 robust sigma (Huber 1981), and is nothing beyond 6, so
/// that a spike or a passing magnet moves nothing; sigma is 1.4826 times the median of the distances (and a
/// little more for few points, Rousseeuw & Leroy 1987), over all points.
struct RobustFit<Surface: FieldSurface>: Sendable {
    private(set) var surface: Surface
    /// Of the points that were not left out, root mean square.
    private(set) var residual: Double
    /// Points that were left out, and that were not.
    private(set) var outliers: Int
    private(set) var used: Int
    /// The last step's sums: weights, but no variance.
    private(set) var equations: NormalEquations

    private static var bend: Double { 2.5 }
    private static var cut: Double { 6 }
    private static var mostSteps: Int { 60 }
    /// A share of the radius: no sensor is so even that a smaller distance is a fault.
    private static var evenness: Double { 0.002 }

    /// `nil` where the points do not determine the surface.
    init?(_ start: Surface, _ points: [Vector3]) {
        guard points.count >= start.unknowns else { return nil }
        surface = start
        residual = 0
        outliers = 0
        used = 0
        equations = NormalEquations(unknowns: start.unknowns)
        var damping = 1e-3
        var isSettled = false
        for _ in 0..<Self.mostSteps where !isSettled {
            let sigma = self.sigma(points)
            let cost = sum(points, sigma)
            guard let better = step(points, sigma, cost, &damping) else { break }
            isSettled = better.gain < 1e-10
            surface = better.surface
        }
        let sigma = self.sigma(points)
        _ = sum(points, sigma)
        judge(points, sigma)
    }

    private func sigma(_ points: [Vector3]) -> Double {
        let sorted = surface.distances(of: points).map(\.magnitude).sorted()
        let few = 1 + 5 / Double(max(1, points.count - surface.unknowns))
        return max(1.4826 * few * sorted[sorted.count / 2], surface.radius * Self.evenness)
    }

    private static func weight(_ distance: Double, _ sigma: Double) -> Double {
        let size = distance.magnitude / sigma
        return size <= bend ? 1 : size <= cut ? bend / size : 0
    }

    /// Fills the equations and returns the weighted cost.
    private mutating func sum(_ points: [Vector3], _ sigma: Double) -> Double {
        equations = NormalEquations(unknowns: surface.unknowns)
        var gradient = [Double](repeating: 0, count: surface.unknowns)
        var cost = 0.0
        for point in points {
            let distance = surface.distance(of: point, gradient: &gradient)
            let weight = Self.weight(distance, sigma)
            guard weight > 0 else { continue }
            equations.add(gradient, -distance, weight: weight)
            cost += Self.loss(distance, sigma)
        }
        return cost
    }

    /// Huber's loss, level beyond the cut.
    private static func loss(_ distance: Double, _ sigma: Double) -> Double {
        let size = min(distance.magnitude / sigma, cut)
        return (size <= bend ? size * size : bend * (2 * size - bend)) * sigma * sigma
    }

    private func cost(_ surface: Surface, _ points: [Vector3], _ sigma: Double) -> Double {
        surface.distances(of: points).reduce(0) { $0 + Self.loss($1, sigma) }
    }

    private func step(
        _ points: [Vector3], _ sigma: Double, _ cost: Double, _ damping: inout Double
    ) -> (surface: Surface, gain: Double)? {
        let before = self.cost(surface, points, sigma)
        for _ in 0..<12 {
            if let step = equations.solution(damping: damping), let moved = surface.moved(by: step) {
                let after = self.cost(moved, points, sigma)
                if after.isFinite, after <= before {
                    damping = max(damping / 10, 1e-12)
                    return (moved, (before - after) / max(before, .leastNormalMagnitude))
                }
            }
            damping *= 10
        }
        return nil
    }

    private mutating func judge(_ points: [Vector3], _ sigma: Double) {
        let kept = surface.distances(of: points).filter { $0.magnitude <= Self.cut * sigma }
        used = kept.count
        outliers = points.count - used
        let freedom = max(1, used - surface.unknowns)
        residual = (kept.reduce(0) { $0 + $1 * $1 } / Double(freedom)).squareRoot()
    }
}
