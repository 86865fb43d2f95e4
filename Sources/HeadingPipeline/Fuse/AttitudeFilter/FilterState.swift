/// One three-vector for each of the four things the filter estimates: an error, a gain, or a column of the
/// covariance.
struct FilterVector: Hashable, Sendable {
    /// Radians, as a turn of the earth frame.
    var attitude: Vector3
    /// Radians a second, body frame.
    var bias: Vector3
    /// Microtesla, earth frame.
    var disturbance: Vector3
    /// Microtesla, body frame.
    var hardIron: Vector3

    static func * (v: FilterVector, factor: Double) -> FilterVector {
        FilterVector(
            attitude: v.attitude * factor, bias: v.bias * factor, disturbance: v.disturbance * factor,
            hardIron: v.hardIron * factor)
    }
}

/// The symmetric 12×12 covariance of the filter's errors as its ten 3×3 blocks: attitude, gyroscope bias, field
/// disturbance, residual hard iron. No array, so nothing is allocated and no index is checked.
struct FilterCovariance: Hashable, Sendable {
    var attitude = Matrix3.zero
    var attitudeBias = Matrix3.zero
    var attitudeDisturbance = Matrix3.zero
    var attitudeHardIron = Matrix3.zero
    var bias = Matrix3.zero
    var biasDisturbance = Matrix3.zero
    var biasHardIron = Matrix3.zero
    var disturbance = Matrix3.zero
    var disturbanceHardIron = Matrix3.zero
    var hardIron = Matrix3.zero
}

extension FilterCovariance {
    /// Takes `gain · columnᵀ` off, which is symmetric where gain is a multiple of column.
    mutating func subtract(_ column: FilterVector, dividedBy variance: Double) {
        let gain = 1 / variance
        func outer(_ a: Vector3, _ b: Vector3) -> Matrix3 { Matrix3(outer: a * -gain, b) }
        attitude = attitude + outer(column.attitude, column.attitude)
        attitudeBias = attitudeBias + outer(column.attitude, column.bias)
        attitudeDisturbance = attitudeDisturbance + outer(column.attitude, column.disturbance)
        attitudeHardIron = attitudeHardIron + outer(column.attitude, column.hardIron)
        bias = bias + outer(column.bias, column.bias)
        biasDisturbance = biasDisturbance + outer(column.bias, column.disturbance)
        biasHardIron = biasHardIron + outer(column.bias, column.hardIron)
        disturbance = disturbance + outer(column.disturbance, column.disturbance)
        disturbanceHardIron = disturbanceHardIron + outer(column.disturbance, column.hardIron)
        hardIron = hardIron + outer(column.hardIron, column.hardIron)
    }
}
