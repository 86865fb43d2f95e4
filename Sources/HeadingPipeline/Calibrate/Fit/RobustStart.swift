/// Where a robust fit begins: of several first guesses, the one with the least median distance, so that wrong
/// points which spoil one of them do not decide.
enum RobustStart {
    static func ellipsoid(_ points: [Vector3]) -> EllipsoidSurface? {
        let near = withoutFarPoints(points)
        let sphere = sphere(points)
        let guesses = [
            EllipsoidSurface(algebraic: points), EllipsoidSurface(algebraic: near),
            sphere.flatMap { EllipsoidSurface(algebraic: withoutHalf($0, near)) },
            sphere.flatMap { EllipsoidSurface(centre: $0.centre, shape: .identity * (1 / $0.radius)) },
        ]
        return best(guesses, points)
    }

    static func sphere(_ points: [Vector3]) -> SphereSurface? {
        best(
            [SphereSurface(algebraic: points), SphereSurface(algebraic: withoutFarPoints(points))], points)
    }

    private static func best<Surface: FieldSurface>(_ guesses: [Surface?], _ points: [Vector3]) -> Surface? {
        guesses.compactMap { $0 }.min { median($0, points) < median($1, points) }
    }

    private static func median(_ surface: some FieldSurface, _ points: [Vector3]) -> Double {
        let sizes = surface.distances(of: points).map(\.magnitude).sorted()
        return sizes[sizes.count / 2]
    }

    /// Without the points that lie more than three times as far out as the median one.
    static func withoutFarPoints(_ points: [Vector3]) -> [Vector3] {
        guard !points.isEmpty else { return [] }
        func middle(_ axis: KeyPath<Vector3, Double>) -> Double {
            points.map { $0[keyPath: axis] }.sorted()[points.count / 2]
        }
        let centre = Vector3(middle(\.x), middle(\.y), middle(\.z))
        let limit = 3 * points.map { ($0 - centre).length }.sorted()[points.count / 2]
        return points.filter { ($0 - centre).length <= limit }
    }

    /// The half of the points that lies best on the sphere, and a quarter more.
    private static func withoutHalf(_ sphere: SphereSurface, _ points: [Vector3]) -> [Vector3] {
        let distances = sphere.distances(of: points).map(\.magnitude)
        let limit = distances.sorted()[(distances.count - 1) * 3 / 4]
        return zip(points, distances).filter { $0.1 <= limit }.map(\.0)
    }
}
