/// One pair of Gauss coefficients in nanotesla, and their yearly change.
struct HarmonicCoefficient: Sendable {
    var g: Double
    var h: Double
    var gRate: Double
    var hRate: Double
}

/// The sum of a spherical harmonic series: the field and its yearly change, (north, east, down) in the
/// geocentric frame, nanotesla.
///
/// The Schmidt semi-normalised functions come from their three-term recursion in n for each m. For m > 0 it
/// runs on P(n,m) / sin θ, which is what the east component needs and which is finite at the poles.
struct HarmonicSum {
    private(set) var field = Vector3.zero
    private(set) var yearlyChange = Vector3.zero
    private let years: Double
    private static let highestDegree = 12
    private static let referenceRadius = Length.kilometers(6371.2)

    init(yearsSinceEpoch: Double) { years = yearsSinceEpoch }

    /// The vector that a unit of g, and a unit of h, makes at the place.
    private mutating func add(_ c: HarmonicCoefficient, perG: Vector3, perH: Vector3) {
        field += perG * (c.g + years * c.gRate) + perH * (c.h + years * c.hRate)
        yearlyChange += perG * c.gRate + perH * c.hRate
    }

    private static func index(degree: Int, order: Int) -> Int { degree * (degree + 1) / 2 + order - 1 }

    /// Order 0: Legendre polynomials P and their derivatives P' by cos θ.
    mutating func addZonalTerms(_ coefficients: [HarmonicCoefficient], at place: GeocentricPlace) {
        let x = place.cosineColatitude
        let ratio = Self.referenceRadius / place.radius
        var power = ratio * ratio
        var (previous, current) = (1.0, x)
        var (previousSlope, slope) = (0.0, 1.0)
        for degree in 1...Self.highestDegree {
            let n = Double(degree)
            power *= ratio
            let perG = Vector3(-place.sineColatitude * slope, 0, -(n + 1) * current) * power
            add(coefficients[Self.index(degree: degree, order: 0)], perG: perG, perH: .zero)
            (previousSlope, slope) = (slope, previousSlope + (2 * n + 1) * current)
            (previous, current) = (current, ((2 * n + 1) * x * current - n * previous) / (n + 1))
        }
    }

    /// Orders 1 to 12, each from its sectorial function P(m,m) / sin θ on.
    mutating func addTesseralTerms(_ coefficients: [HarmonicCoefficient], at place: GeocentricPlace) {
        let ratio = Self.referenceRadius / place.radius
        let (stepCosine, stepSine) = (place.longitude.cosine, place.longitude.sine)
        var (cosine, sine) = (stepCosine, stepSine)
        var power = ratio * ratio * ratio
        var sectorial = 1.0
        for order in 1...Self.highestDegree {
            let start = Sector(
                order: order, sectorial: sectorial, power: power, ratio: ratio, cosine: cosine, sine: sine)
            addOrder(start, coefficients, at: place)
            (cosine, sine) = (cosine * stepCosine - sine * stepSine, sine * stepCosine + cosine * stepSine)
            power *= ratio
            sectorial *= (Double(2 * order + 1) / Double(2 * order + 2)).squareRoot() * place.sineColatitude
        }
    }

    /// What all terms of one order have in common, and the values at n = m.
    private struct Sector {
        let order: Int
        /// P(m,m) / sin θ.
        let sectorial: Double
        /// (a/r) to the power m + 2, and a/r.
        let power: Double
        let ratio: Double
        /// Of m λ.
        let cosine: Double
        let sine: Double
    }

    private mutating func addOrder(
        _ sector: Sector, _ coefficients: [HarmonicCoefficient], at place: GeocentricPlace
    ) {
        let m = Double(sector.order)
        let x = place.cosineColatitude
        var power = sector.power
        var (previous, current) = (0.0, sector.sectorial)
        var root = 0.0  // of n² - m²
        for degree in sector.order...Self.highestDegree {
            let n = Double(degree)
            let north = (n * x * current - root * previous) * power
            let east = m * current * power
            let down = -(n + 1) * place.sineColatitude * current * power
            add(
                coefficients[Self.index(degree: degree, order: sector.order)],
                perG: Vector3(north * sector.cosine, east * sector.sine, down * sector.cosine),
                perH: Vector3(north * sector.sine, -east * sector.cosine, down * sector.sine))
            let nextRoot = ((n + 1) * (n + 1) - m * m).squareRoot()
            (previous, current) = (current, ((2 * n + 1) * x * current - root * previous) / nextRoot)
            root = nextRoot
            power *= sector.ratio
        }
    }
}
