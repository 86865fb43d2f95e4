/// A small dense square matrix in rows, for the normal equations of the fits (ten unknowns at most).
struct SquareMatrix: Hashable, Sendable {
    let order: Int
    private var elements: [Double]

    init(order: Int) {
        self.order = order
        elements = Array(repeating: 0, count: order * order)
    }

    subscript(row: Int, column: Int) -> Double {
        get { elements[row * order + column] }
        set { elements[row * order + column] = newValue }
    }

    static func identity(order: Int) -> SquareMatrix {
        var matrix = SquareMatrix(order: order)
        for index in 0..<order { matrix[index, index] = 1 }
        return matrix
    }

    static func * (matrix: SquareMatrix, vector: [Double]) -> [Double] {
        (0..<matrix.order).map { row in
            vector.indices.reduce(0) { $0 + matrix[row, $1] * vector[$1] }
        }
    }

    /// The lower triangle L with L Lᵀ = self; `nil` unless symmetric and positive definite (Golub & Van Loan,
    /// Matrix Computations, 4.2).
    var cholesky: SquareMatrix? {
        var lower = SquareMatrix(order: order)
        for column in 0..<order {
            for row in column..<order {
                let known = (0..<column).reduce(0) { $0 + lower[row, $1] * lower[column, $1] }
                let rest = self[row, column] - known
                if row > column {
                    lower[row, column] = rest / lower[column, column]
                } else if rest > 0, rest.isFinite {
                    lower[row, row] = rest.squareRoot()
                } else {
                    return nil
                }
            }
        }
        return lower
    }

    /// x with `self * x = right`; `nil` unless symmetric and positive definite.
    func solution(_ right: [Double]) -> [Double]? {
        guard let lower = cholesky else { return nil }
        var x = right
        for row in 0..<order {
            for column in 0..<row { x[row] -= lower[row, column] * x[column] }
            x[row] /= lower[row, row]
        }
        for row in (0..<order).reversed() {
            for column in (row + 1)..<order { x[row] -= lower[column, row] * x[column] }
            x[row] /= lower[row, row]
        }
        return x.allSatisfy(\.isFinite) ? x : nil
    }

    /// The inverse of a symmetric positive definite matrix.
    var symmetricInverse: SquareMatrix? {
        var inverse = SquareMatrix(order: order)
        for column in 0..<order {
            var unit = [Double](repeating: 0, count: order)
            unit[column] = 1
            guard let x = solution(unit) else { return nil }
            for row in 0..<order { inverse[row, column] = x[row] }
        }
        return inverse
    }
}

extension SquareMatrix {
    init(_ matrix: Matrix3) {
        self.init(order: 3)
        for (row, vector) in [matrix.rowX, matrix.rowY, matrix.rowZ].enumerated() {
            self[row, 0] = vector.x
            self[row, 1] = vector.y
            self[row, 2] = vector.z
        }
    }
}
