import Glibc

/// Noise that is the same for the same seed, on every machine. Uniform numbers after SplitMix64 (Steele, Lea
/// and Flood, 2014), normal ones by the Box-Muller transform.
package struct SeededNoise: Sendable {
    private var state: UInt64
    private var spare: Double?

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// In (0, 1], so that it has a logarithm.
    private mutating func uniform() -> Double { Double((next() >> 11) + 1) * 0x1p-53 }

    /// From the normal distribution with mean 0 and standard deviation 1.
    package mutating func normal() -> Double {
        if let ready = spare {
            spare = nil
            return ready
        }
        let radius = (-2 * log(uniform())).squareRoot()
        let phase = 2 * Double.pi * uniform()
        spare = radius * sin(phase)
        return radius * cos(phase)
    }

    /// Three independent components.
    package mutating func vector(_ deviation: Double) -> Vector3 {
        let (x, y, z) = (normal(), normal(), normal())
        return Vector3(x, y, z) * deviation
    }
}
