/// What a kernel driver gets wrong or leaves unsaid about its chip, and how to put it right.
package struct SensorQuirk: Sendable {
    /// The drivers' names for the chips.
    var names: [String]
    var kind: IIOChannel.Kind
    /// The counts that the chip can give, where the scan type has room for more.
    var limits: ClosedRange<Int64>?
    var fault: Fault?

    struct Fault: Sendable {
        var reason: String
        /// Whether the x axis's scale is the wrong one; a mended driver must not be mended twice.
        var isPresent: @Sendable (_ scale: Double) -> Bool
        /// The right scale for a wrong one.
        var scale: @Sendable (_ scale: Double) -> Double
        /// From which of the driver's axes x, y and z of the chip come.
        var axes = Axis.allCases
    }

    package enum Axis: String, CaseIterable, Sendable { case x, y, z }

    static func of(_ name: String, _ kind: IIOChannel.Kind) -> SensorQuirk? {
        all.first { $0.kind == kind && $0.names.contains(name) }
    }

    /// The only quirks there are. One belongs here when a data sheet or the driver's own source shows it.
    private static let all: [SensorQuirk] = [
        SensorQuirk(
            names: ["hmc5843", "hmc5883", "hmc5883l", "hmc5983"], kind: .magneticField, limits: twelveBits,
            fault: Fault(
                reason: "its driver's scale is 100 times too small for gauss",
                // 0.000009174 stands for 1090 counts a gauss; a true scale of these chips is over 0.0006.
                isPresent: { $0 < 0.0001 }, scale: { $0 * 100 })),
        SensorQuirk(
            names: ["lsm303dlh_magn"], kind: .magneticField, limits: twelveBits,
            fault: Fault(
                reason: "its driver gives counts a gauss as the scale and exchanges y and z",
                // 0.0011 stands for 1100 counts a gauss. Registers 5 and 7 hold y and z in this chip, but z
                // and y in the LSM303DLHC that the driver takes it for.
                isPresent: { scale in
                    [1100, 855, 670, 450, 400, 330, 230].contains((scale * 1e6).rounded())
                },
                scale: { 1e-6 / $0 }, axes: [.x, .z, .y])),
        SensorQuirk(
            names: ["lsm303dlhc_magn", "lsm303dlm_magn"], kind: .magneticField, limits: twelveBits),
    ]

    /// Twelve bits in sixteen; these chips give -4096 for an overflow.
    private static let twelveBits: ClosedRange<Int64> = -2048...2047
}
