/// Eigenvalues, ascending, and unit eigenvectors of a symmetric matrix, by Jacobi's rotations (Golub & Van
/// Loan, Matrix Computations, 8.5).
struct SymmetricEigen: Sendable {
    private(set) var values: [Double]
    /// The eigenvectors stand in its columns.
    private(set) var vectors: SquareMatrix

    private static let mostSweeps = 60

    init(_ matrix: SquareMatrix) {
        var rest = matrix
        var turned = SquareMatrix.identity(order: matrix.order)
        for _ in 0..<Self.mostSweeps where !Self.isDiagonal(rest) {
            for row in 0..<matrix.order {
                for column in (row + 1)..<matrix.order { Self.rotate(&rest, &turned, row, column) }
            }
        }
        let order = (0..<matrix.order).sorted { rest[$0, $0] < rest[$1, $1] }
        values = order.map { rest[$0, $0] }
        vectors = SquareMatrix(order: matrix.order)
        for (column, source) in order.enumerated() {
            for row in 0..<matrix.order { vectors[row, column] = turned[row, source] }
        }
    }

    private static func isDiagonal(_ matrix: SquareMatrix) -> Bool {
        var (outside, inside) = (0.0, 0.0)
        for row in 0..<matrix.order {
            inside += matrix[row, row] * matrix[row, row]
            for column in (row + 1)..<matrix.order { outside += matrix[row, column] * matrix[row, column] }
        }
        return outside <= inside * 1e-30
    }

    /// Turns the plane of two axes so that the element between them becomes zero.
    private static func rotate(_ matrix: inout SquareMatrix, _ turned: inout SquareMatrix, _ p: Int, _ q: Int)
    {
        guard matrix[p, q] != 0 else { return }
        let theta = (matrix[q, q] - matrix[p, p]) / (2 * matrix[p, q])
        let tangent = (theta < 0 ? -1 : 1) / (theta.magnitude + (theta * theta + 1).squareRoot())
        let cosine = 1 / (tangent * tangent + 1).squareRoot()
        let sine = tangent * cosine
        for k in 0..<matrix.order {
            let (kp, kq) = (matrix[k, p], matrix[k, q])
            matrix[k, p] = cosine * kp - sine * kq
            matrix[k, q] = sine * kp + cosine * kq
        }
        for k in 0..<matrix.order {
            let (pk, qk) = (matrix[p, k], matrix[q, k])
            matrix[p, k] = cosine * pk - sine * qk
            matrix[q, k] = sine * pk + cosine * qk
            let (kp, kq) = (turned[k, p], turned[k, q])
            turned[k, p] = cosine * kp - sine * kq
            turned[k, q] = sine * kp + cosine * kq
        }
    }
}

/// The same for three axes, with vectors.
struct PrincipalAxes: Sendable {
    /// Ascending.
    let values: [Double]
    /// Unit vectors in the order of the values.
    let axes: [Vector3]

    init(_ matrix: Matrix3) {
        let eigen = SymmetricEigen(SquareMatrix(matrix))
        values = eigen.values
        axes = (0..<3).map { Vector3(eigen.vectors[0, $0], eigen.vectors[1, $0], eigen.vectors[2, $0]) }
    }

    /// The symmetric matrix with these axes and a function of these values.
    func matrix(_ function: (Double) -> Double) -> Matrix3 {
        zip(values, axes).reduce(Matrix3.diagonal(.zero)) { $0 + Matrix3(outer: $1.1, $1.1) * function($1.0) }
    }
}
