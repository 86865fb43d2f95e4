import HeadingPipeline
import Testing

@Suite("What to do next")
struct PoseHintTests {
    @Test(
        "names the side, edge or corner of the sensor, and which way the field lies",
        arguments: [
            (Vector3(0, 0, -1), 65.3, "point the sensor's -z side north and 65° down"),
            (Vector3(0.7, 0, 0.7), -62.0, "point the sensor's +x +z edge north and 62° up"),
            (Vector3(0.58, -0.58, 0.58), 3, "point the sensor's +x -y +z corner north"),
        ])
    func hints(direction: Vector3, dip: Double, text: String) {
        #expect(PoseHint(missing: direction, inclination: .degrees(dip)).text == text)
    }

    @Test("without a fix it fits into a line too")
    func unknown() {
        let text = PoseHint(missing: Vector3(0.58, -0.58, 0.58), inclination: nil).text
        #expect(text.contains("north") && text.count <= 73)
    }
}

@Suite("Coverage of a circle")
struct CircleCoverageTests {
    @Test("a quarter is a quarter, a whole circle the whole")
    func share() {
        var circle = CircleCoverage(normal: Vector3(0, 0, 1))
        for degrees in stride(from: 1.0, to: 90, by: 5) {
            let angle = Angle.degrees(degrees)
            circle.add(Vector3(angle.cosine, angle.sine, 2) * 20)
        }
        #expect(circle.share == 0.25)
        for degrees in stride(from: 90.0, to: 360, by: 5) {
            let angle = Angle.degrees(degrees)
            circle.add(Vector3(angle.cosine, angle.sine, -1))
        }
        #expect(circle.share == 1)
    }

    @Test("holds for any plane", arguments: [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0.6, 0, 0.8)])
    func planes(normal: Vector3) throws {
        let a = try #require(normal.cross(Vector3(0.3, 0.4, 0.5)).normalized)
        let b = normal.cross(a)
        var circle = CircleCoverage(normal: normal)
        for step in 0..<96 {
            let angle = Angle.degrees(Double(step) * 3.75)
            circle.add(a * angle.cosine + b * angle.sine)
        }
        #expect(circle.share == 1)
    }
}
