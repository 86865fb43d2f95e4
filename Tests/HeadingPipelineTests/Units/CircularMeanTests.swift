import HeadingPipeline
import Testing

@Suite("Circular mean")
struct CircularMeanTests {
    @Test(
        "means are on the circle",
        arguments: [
            ([350.0, 10], "0.0"), ([358, 359, 0, 1, 2], "0.0"), ([0, 90, 180], "90.0"), ([10, 20], "15.0"),
        ])
    func means(degrees: [Double], printed: String) throws {
        let direction = try #require(CircularMean(degrees.map(Angle.degrees)).direction)
        #expect(
            decimalText((direction.degrees * 10).rounded() == 3600 ? 0 : direction.degrees, places: 1)
                == printed)
    }

    @Test("opposite directions have none")
    func opposite() { #expect(CircularMean([.degrees(90), .degrees(270)]).direction == nil) }

    @Test("spread shows in the resultant length")
    func resultant() {
        #expect(abs(CircularMean([.zero, .degrees(90), .degrees(180)]).resultantLength - 1.0 / 3) < 1e-12)
        #expect(CircularMean().direction == nil)
    }

    @Test("a spread of directions is not a confident one: 85 degrees at least for a length of 1/3")
    func deviation() {
        let mean = CircularMean([.zero, .degrees(90), .degrees(180)])
        #expect(mean.standardDeviation.degrees >= 84.9)
        #expect(CircularMean([.degrees(7), .degrees(7)]).standardDeviation.degrees < 1e-5)
    }
}
