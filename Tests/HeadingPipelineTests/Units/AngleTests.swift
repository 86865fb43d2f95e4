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

    @Test(
        "folds to the same direction",
        arguments: [
            (-1e9, 80), (1e9, 280), (-0.0, 0), (-1, 359), (360, 0), (-360, 0), (725, 5), (359.5, 359.5),
        ] as [(Double, Double)])
    func foldsToTheDirection(degrees: Double, expected: Double) {
        // A number of 1e9 degrees is good to 1e-7.
        #expect(abs(Angle.degrees(degrees).foldedPositive.degrees - expected) < 1e-6)
    }

    @Test("a direction a hair west of north is 0, not a whole turn")
    func aHairWest() { #expect(Angle.direction(north: 1, east: -1e-16) == .zero) }

    @Test(
        "a dial goes the short way round from each direction to the next",
        arguments: [
            ([5, 4, 3, 2, 1, 0, 359, 358], -7), ([10, 350], -20), ([350, 10], 20), ([0, 120, 240, 0], 360),
        ] as [([Double], Double)])
    func dial(directions: [Double], turned: Double) {
        let turns = zip(directions, directions.dropFirst()).map {
            Angle.shortest(from: .degrees($0), to: .degrees($1)).degrees
        }
        #expect(abs(turns.reduce(0, +) - turned) < 1e-9)
        #expect(abs(turns.reduce(0) { $0 + abs($1) } - abs(turned)) < 1e-9)
    }
}
