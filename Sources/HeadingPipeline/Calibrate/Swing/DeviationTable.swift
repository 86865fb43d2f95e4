/// The deviation of the compass on its vessel, as on a compass card: what to add to the compass heading to get
/// the magnetic one, in degrees, positive east. Five coefficients (Fourier, after Archibald Smith):
/// A + B sin h + C cos h + D sin 2h + E cos 2h, with h the compass heading.
package struct DeviationTable: Hashable, Sendable {
    /// A constant: the sensor stands askew.
    package var a: Angle
    /// Semicircular: hard iron that the calibration has left.
    package var b: Angle
    package var c: Angle
    /// Quadrantal: soft iron that it has left.
    package var d: Angle
    package var e: Angle
    /// How far the table itself may be off, 1 sigma, on the worst heading.
    package var uncertainty: Angle

    package init(a: Angle, b: Angle, c: Angle, d: Angle, e: Angle, uncertainty: Angle) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.e = e
        self.uncertainty = uncertainty
    }

    package func deviation(at compassHeading: Angle) -> Angle {
        let twice = compassHeading * 2
        let semicircular = b * compassHeading.sine + c * compassHeading.cosine
        return a + semicircular + d * twice.sine + e * twice.cosine
    }

    /// The size of the largest deviation, looked for every 5°.
    package var largest: Angle {
        stride(from: 0.0, to: 360, by: 5).map { deviation(at: .degrees($0)).magnitude }.max() ?? .zero
    }

    /// [0°, 360°).
    package func magnetic(compassHeading: Angle) -> Angle {
        (compassHeading + deviation(at: compassHeading)).foldedPositive
    }

    /// What the compass reads where the magnetic heading is this, by repeated substitution; deviations are small.
    package func compassHeading(magnetic: Angle) -> Angle {
        var compass = magnetic
        for _ in 0..<20 { compass = (magnetic - deviation(at: compass)).foldedPositive }
        return compass
    }
}
