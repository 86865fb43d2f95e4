/// The integrals along a geodesic as series to the sixth order in ε, each a multiple of
/// `σ + Σ Cₗ sin 2lσ`. C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87 (2013), equations 15 to 25
/// and 40 to 43; the errors are some nanometres.
struct GeodesicSeries: Sendable {
    /// Coefficients of sin 2σ, sin 4σ, ... in lanes 1, 2, ...
    typealias Sines = SIMD8<Double>

    /// k², of the ellipse that the geodesic's meridian-like section is: `e'² cos² α₀`.
    let kSquared: Double
    private let ε: Double

    init(azimuthAtEquator: SinCos) {
        let eSquared = WGS84.eccentricitySquared
        let cosine = azimuthAtEquator.cosine
        kSquared = eSquared / (1 - eSquared) * cosine * cosine
        let root = (1 + kSquared).squareRoot()
        // (root - 1) / (root + 1), without the cancellation.
        ε = kSquared / ((root + 1) * (root + 1))
    }

    /// Σ Cₗ sin 2lσ, by Clenshaw's recurrence.
    static func sum(_ coefficients: Sines, _ σ: SinCos) -> Double {
        let twiceCosine = 2 * (σ.cosine - σ.sine) * (σ.cosine + σ.sine)
        var current = 0.0
        var previous = 0.0
        for index in stride(from: 6, through: 1, by: -1) {
            (current, previous) = (twiceCosine * current - previous + coefficients[index], current)
        }
        return 2 * σ.sine * σ.cosine * current
    }

    // MARK: Distance: s / b = A₁ (σ + Σ C₁ₗ sin 2lσ)

    var a1: Double {
        let e2 = ε * ε
        return (1 + e2 * (1 / 4 + e2 * (1 / 64 + e2 / 256))) / (1 - ε)
    }

    var c1: Sines {
        let e2 = ε * ε
        let e3 = e2 * ε
        return Sines(
            0,
            ε * (-1 / 2 + e2 * (3 / 16 - e2 / 32)),
            e2 * (-1 / 16 + e2 * (1 / 32 - e2 * 9 / 2048)),
            e3 * (-1 / 48 + e2 * 3 / 256),
            e3 * ε * (-5 / 512 + e2 * 3 / 512),
            e3 * e2 * (-7 / 1280),
            e3 * e3 * (-7 / 2048),
            0)
    }

    /// The same turned round: σ = τ + Σ C₁'ₗ sin 2lτ with τ = s / (b A₁).
    var c1Reverted: Sines {
        let e2 = ε * ε
        let e3 = e2 * ε
        return Sines(
            0,
            ε * (1 / 2 + e2 * (-9 / 32 + e2 * 205 / 1536)),
            e2 * (5 / 16 + e2 * (-37 / 96 + e2 * 1335 / 4096)),
            e3 * (29 / 96 - e2 * 75 / 128),
            e3 * ε * (539 / 1536 - e2 * 2391 / 2560),
            e3 * e2 * (3467 / 7680),
            e3 * e3 * (38081 / 61440),
            0)
    }

    // MARK: Reduced length, with the first: J = A₁ (σ + Σ C₁ₗ ...) - A₂ (σ + Σ C₂ₗ sin 2lσ)

    var a2: Double {
        let e2 = ε * ε
        return (1 - ε) * (1 + e2 * (1 / 4 + e2 * (9 / 64 + e2 * 25 / 256)))
    }

    var c2: Sines {
        let e2 = ε * ε
        let e3 = e2 * ε
        return Sines(
            0,
            ε * (1 / 2 + e2 * (1 / 16 + e2 / 32)),
            e2 * (3 / 16 + e2 * (1 / 32 + e2 * 35 / 2048)),
            e3 * (5 / 48 + e2 * 5 / 256),
            e3 * ε * (35 / 512 + e2 * 7 / 512),
            e3 * e2 * (63 / 1280),
            e3 * e3 * (77 / 2048),
            0)
    }

    // MARK: Longitude: λ = ω - f sin α₀ A₃ (σ + Σ C₃ₗ sin 2lσ)

    private static let n = WGS84.flattening / (2 - WGS84.flattening)

    var a3: Double {
        let n = Self.n
        let first = 1 / 2 - n / 2
        let second = 1 / 4 + n * (1 / 8 - n * 3 / 8)
        let third = 1 / 16 + n * (3 / 16 + n / 16)
        let fourth = 3 / 64 + n / 32
        return 1 - ε * (first + ε * (second + ε * (third + ε * (fourth + ε * 3 / 128))))
    }

    var c3: Sines {
        let n = Self.n
        let e2 = ε * ε
        let e3 = e2 * ε
        let c31 =
            (1 - n) / 4 + ε
            * ((1 - n * n) / 8 + ε * ((3 + n * (3 - n)) / 64 + ε * (5 / 128 + n / 64 + ε * 3 / 128)))
        let c32 =
            1 / 16 + n * (-3 / 32 + n / 32)
            + ε * (3 / 64 - n * (1 / 32 + n * 3 / 64) + ε * (3 / 128 + n / 128 + ε * 5 / 256))
        let c33 = 5 / 192 + n * (-3 / 64 + n * 5 / 192) + ε * (3 / 128 - n * 5 / 192 + ε * 7 / 512)
        let c34 = 7 / 512 - n * 7 / 256 + ε * 7 / 512
        return Sines(0, ε * c31, e2 * c32, e3 * c33, e3 * ε * c34, e3 * e2 * 21 / 2560, 0, 0)
    }
}
