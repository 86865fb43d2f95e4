import HeadingPipeline
import TestSupport
import Testing

@Suite("Sampling frequency")
struct SamplingFrequencyTests {
    private func word(_ available: String?, current: Double?, rate: Double) -> String? {
        SamplingFrequency(attribute: "sampling_frequency", current: current, available: available).word(
            for: rate)
    }

    @Test(
        "the nearest that is enough, in the driver's own words",
        arguments: [
            ("0.750000 1.500000 3.0 7.500000 15.0 30.0 75.0", 20.0, "30.0"),
            ("1 2 3 8 15 30 75", 1.0, "1"), ("10 20 50 100", 20.0, "20"),
            // rm3100 lists the highest first; where none is enough, the highest.
            ("600 300 150 75 37 18 9 4.5 2.3 1.2 0.6 0.3 0.015 0.075", 20.0, "37"),
            ("2 6 8 10 15 20 25 30", 50.0, "30"), ("[1 1 400]", 20.0, "20"), ("[1 1 400]", 500.0, "400"),
            ("[0.5 0.5 400]", 0.1, "0.500"),
        ])
    func choice(available: String, rate: Double, expected: String) {
        #expect(word(available, current: nil, rate: rate) == expected)
    }

    @Test("nothing is written where it is right already")
    func already() {
        #expect(word("10 20 50 100", current: 20, rate: 20) == nil)
        #expect(word("1.5 13 25 50", current: 25, rate: 20) == nil)
    }

    @Test("without a list the rate itself", arguments: [nil, "", "fast slow", "0 0", "[1 2]"])
    func unlisted(available: String?) { #expect(word(available, current: 10, rate: 20) == "20") }

    @Test(
        "the attribute under each of its names",
        arguments: ["in_magn_sampling_frequency", "sampling_frequency", "in_magn_x_sampling_frequency"])
    func names(name: String) throws {
        let tree = try FakeIIOTree()
        try tree.add(
            0, at: "i2c-1/1-001e",
            DriverAttributes.ak8975.merging([name: "8", "sampling_frequency_available": "8 16"]) { $1 })
        let frequency = IIODevice(AttributeFolder(tree.path(0)))?.channel(.magneticField)?.frequency
        #expect(frequency?.attribute == name)
        #expect(frequency?.current == 8)
        #expect(frequency?.available == .listed(["8", "16"]))
    }
}
