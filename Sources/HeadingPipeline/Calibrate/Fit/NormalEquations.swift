/// The sums from which linear least squares are solved.
struct NormalEquations: Sendable {
    private(set) var matrix: SquareMatrix
    private(set) var right: [Double]

    init(unknowns: Int) {
        matrix = SquareMatrix(order: unknowns)
        right = Array(repeating: 0, count: unknowns)
    }

    /// One equation: `row · x = value`.
    mutating func add(_ row: [Double], _ value: Double, weight: Double = 1) {
        for i in row.indices {
            let scaled = row[i] * weight
            right[i] += scaled * value
            for j in 0...i { matrix[i, j] += scaled * row[j] }
        }
    }

    /// With the upper half filled in, as everything but the sums needs it.
    private var whole: SquareMatrix {
        var whole = matrix
        for i in right.indices { for j in 0..<i { whole[j, i] = matrix[i, j] } }
        return whole
    }

    /// `nil` where the equations do not determine every unknown. `damping` is a share of the diagonal that
    /// is added to it (Marquardt).
    func solution(damping: Double = 0) -> [Double]? {
        var damped = whole
        for i in right.indices { damped[i, i] *= 1 + damping }
        return damped.solution(right)
    }

    /// The same with each unknown in another unit: column i is multiplied by `factor(i)`.
    func scaled(_ factor: (Int) -> Double) -> NormalEquations {
        var scaled = self
        for i in right.indices {
            scaled.right[i] *= factor(i)
            for j in right.indices { scaled.matrix[i, j] *= factor(i) * factor(j) }
        }
        return scaled
    }

    /// The unknowns' covariance where each equation's error has a variance of 1.
    var covariance: SquareMatrix? { whole.symmetricInverse }

    /// How much worse the worst determined combination of unknowns is than the best: the root of the ratio
    /// of the largest to the smallest eigenvalue, infinite where one is not determined at all.
    var condition: Double {
        let values = SymmetricEigen(whole).values
        guard let least = values.first, let most = values.last, least > 0 else { return .infinity }
        return (most / least).squareRoot()
    }
}
