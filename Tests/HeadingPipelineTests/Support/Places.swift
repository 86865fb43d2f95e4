import HeadingPipeline

/// A place in degrees.
func place(_ latitude: Double, _ longitude: Double) -> GeoPosition {
    guard let place = GeoPosition(latitude: .degrees(latitude), longitude: .degrees(longitude)) else {
        preconditionFailure("no place at \(latitude), \(longitude)")
    }
    return place
}

extension SplitMix64 {
    /// A standard normal deviate, as the sum of twelve uniform ones.
    mutating func gaussian() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
    }
}
