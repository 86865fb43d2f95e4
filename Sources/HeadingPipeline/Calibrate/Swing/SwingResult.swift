/// The deviation table that a swing gives, or why it gives none.
package struct SwingResult: Hashable, Sendable {
    package enum Refusal: Hashable, Sendable {
        case tooSlow
        case tooFewHeadings(sectors: Int)
        /// The speed over ground changes with the course as in a current of this size.
        case current(Speed, through: Speed)
        /// What the table leaves, 1 sigma.
        case unsteady(Angle)
        /// The table reaches this deviation: the sensor sits askew, or is not calibrated.
        case tooLarge(Angle)
    }

    /// `nil` where too little is known to make one.
    package private(set) var table: DeviationTable?
    /// What the table leaves of the differences between course and heading, 1 sigma.
    package private(set) var residual = Angle.zero
    /// As the speed over ground shows it.
    package private(set) var current = Speed.zero
    package private(set) var speed = Speed.zero
    package private(set) var sectors: Int
    package private(set) var samples: Int
    package private(set) var refusal: Refusal?

    package static let fewestSectors = 9
    /// A current across the course turns it by as much of a radian as it is of the speed.
    package static let mostCurrent = 0.08
    package static let mostResidual = Angle.degrees(8)
    /// A card is for what iron is left over; adjusters correct a compass before it is swung when it is off by more.
    package static let mostDeviation = Angle.degrees(30)
    /// Neighbouring fixes err alike: so many count as one.
    private static let repetition = 5.0

    init(_ collector: SwingCollector) {
        samples = collector.samples.count
        sectors = collector.sectors.known
        guard sectors >= Self.fewestSectors else {
            let isSlow = collector.tooSlow > samples
            refusal = isSlow ? .tooSlow : .tooFewHeadings(sectors: sectors)
            return
        }
        let weights = Self.weights(collector)
        findCurrent(collector.samples, weights)
        fit(collector.samples, weights)
        if table == nil { refusal = .tooFewHeadings(sectors: sectors) }
        if current > speed * Self.mostCurrent { refusal = .current(current, through: speed) }
        if residual > Self.mostResidual { refusal = .unsteady(residual) }
        if let largest = table?.largest, largest > Self.mostDeviation { refusal = .tooLarge(largest) }
    }

    /// Each sector counts the same, however long the vessel was on it.
    private static func weights(_ collector: SwingCollector) -> [Double] {
        let visits = collector.sectors.visits
        let mean = Double(collector.samples.count) / Double(collector.sectors.known)
        return collector.samples.map {
            mean / Double(max(visits[HeadingSectors.index($0.compass)], HeadingSectors.enough))
        }
    }

    /// Through the water she goes as fast on every course; over ground faster with the current than against it.
    private mutating func findCurrent(_ samples: [SwingCollector.Sample], _ weights: [Double]) {
        var equations = NormalEquations(unknowns: 3)
        for (sample, weight) in zip(samples, weights) {
            equations.add(
                [1, sample.course.cosine, sample.course.sine], sample.speed.metersPerSecond, weight: weight)
        }
        guard let u = equations.solution() else { return }
        speed = .metersPerSecond(u[0])
        current = .metersPerSecond((u[1] * u[1] + u[2] * u[2]).squareRoot())
    }

    private static func row(_ compass: Angle) -> [Double] {
        let twice = compass * 2
        return [1, compass.sine, compass.cosine, twice.sine, twice.cosine]
    }

    /// Least squares with Huber's weights, so that a wave or a wild fix does not decide.
    private mutating func fit(_ samples: [SwingCollector.Sample], _ weights: [Double]) {
        let differences = samples.map { Angle.shortest(from: $0.compass, to: $0.course).radians }
        var robust = weights
        var solution: [Double]?
        var equations = NormalEquations(unknowns: 5)
        for _ in 0..<8 {
            equations = NormalEquations(unknowns: 5)
            for index in samples.indices {
                equations.add(Self.row(samples[index].compass), differences[index], weight: robust[index])
            }
            guard let u = equations.solution() else { return }
            solution = u
            let left = samples.indices.map { index in
                differences[index] - zip(Self.row(samples[index].compass), u).reduce(0) { $0 + $1.0 * $1.1 }
            }
            let sigma = max(1.4826 * left.map(\.magnitude).sorted()[left.count / 2], 1e-6)
            residual = .radians(sigma)
            robust = left.indices.map { weights[$0] * min(1, 2 * sigma / max(left[$0].magnitude, 1e-12)) }
        }
        guard let u = solution else { return }
        table = DeviationTable(
            a: .radians(u[0]), b: .radians(u[1]), c: .radians(u[2]), d: .radians(u[3]), e: .radians(u[4]),
            uncertainty: uncertainty(equations))
    }

    /// On the heading that is known worst; and what current there may be has turned some headings by it.
    private func uncertainty(_ equations: NormalEquations) -> Angle {
        guard let covariance = equations.covariance else { return .halfTurn }
        let variances = stride(from: 0.0, to: 360, by: 15).map { heading in
            let row = Self.row(.degrees(heading))
            return zip(row, covariance * row).reduce(0) { $0 + $1.0 * $1.1 }
        }
        let noise = residual * ((variances.max() ?? 0) * Self.repetition).squareRoot()
        let drift = speed > .zero ? Angle.radians(current / speed) : .zero
        return noise.combined(with: drift * 0.5.squareRoot())
    }
}

extension SwingResult.Refusal {
    package var text: String {
        switch self {
        case .tooSlow:
            "too slow: at least \(decimalText(SwingCollector.leastSpeed.knots, places: 1)) knots are needed"
        case .tooFewHeadings(let sectors):
            "headings in only \(sectors) of \(HeadingSectors.count) sectors of 30°,"
                + " \(SwingResult.fewestSectors) are needed"
        case .current(let current, let speed):
            "a current of \(decimalText(current.knots, places: 1)) knots at a speed of"
                + " \(decimalText(speed.knots, places: 1)): go faster, or where the water stands still"
        case .unsteady(let residual):
            "course and heading differ by \(decimalText(residual.degrees, places: 1))° from fix to fix"
        case .tooLarge(let deviation):
            "a deviation of \(decimalText(deviation.degrees, places: 0))°, more than a card is for: see that axes is right,"
                + " calibrate, and then calibrate --align"
        }
    }
}
