/// The samples of a level turn with the vessel's heeling taken out, as far as gravity tells it. A heel that goes with the
/// heading, as under sail, would else pass for iron: 5° of it move the field by 4 µT where it is steep.
struct LevelledCloud {
    private let points: [Vector3]
    /// For each, from where gravity lay to where it lay on the whole.
    private let turns: [Matrix3]

    /// Where gravity is known for fewer, it is left out altogether.
    private static let leastShare = 0.8

    init?(_ samples: [CalibrationSample]) {
        let known = samples.compactMap { sample in
            sample.specificForce.flatMap { (-$0).normalized }.map { (sample.fieldMicrotesla, $0) }
        }
        .filter { $0.0.isFinite && $0.1.isFinite }
        guard Double(known.count) >= Self.leastShare * Double(samples.count),
            let mean = known.map(\.1).reduce(.zero, +).normalized
        else { return nil }
        points = known.map(\.0)
        turns = known.map { Matrix3(turning: $0.1, onto: mean) }
    }

    /// The iron on board, which lies at `centre`, does not heel against the sensor.
    func about(_ centre: Vector3) -> [Vector3] {
        zip(points, turns).map { $1 * ($0 - centre) + centre }
    }
}

extension Matrix3 {
    /// The shortest turn that brings one unit vector onto another (Rodrigues); none between opposite ones.
    fileprivate init(turning a: Vector3, onto b: Vector3) {
        let closeness = a.dot(b)
        guard closeness > -0.99 else {
            self = .identity
            return
        }
        let across = Matrix3.cross(a.cross(b))
        self = .identity + across + across * across * (1 / (1 + closeness))
    }
}
