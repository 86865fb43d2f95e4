import HeadingPipeline
import Testing

@Suite("Angle")
struct AngleTests {
    @Test(
        "folds every finite number into [0, 360)",
        arguments: [
            -1e9, 1e9, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, -1e-17, 359.999999999, 360,
            -360, 720, 0,
        ])
    func foldsIntoOneTurn(degrees: Double) {
        let folded = Angle.degrees(degrees).foldedPositive
        #expect(folded.degrees >= 0 && folded.degrees < 360)
        #expect(folded.radians.sign == .plus)
    }
}
