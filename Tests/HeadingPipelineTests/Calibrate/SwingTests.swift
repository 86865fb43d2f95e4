import Glibc
import HeadingPipeline
import Testing

@Suite("Swinging the compass")
struct SwingTests {
    /// 4 sin h + 2 cos 2h.
    private func deviation(_ heading: Double) -> Double {
        4 * sin(heading * .pi / 180) + 2 * cos(2 * heading * .pi / 180)
    }

    /// Two circles, a fix a second at 2° a second, course noise 2°.
    private func swing(
        knots: Double, seed: UInt64 = 1, to last: Double = 720, current: Double = 0,
        askew: Double = 0
    ) -> SwingResult {
        var noise = Cloud(seed: seed)
        var collector = SwingCollector()
        for degrees in stride(from: 0.0, to: last, by: 2) {
            let magnetic = degrees + deviation(degrees) + askew
            let north = knots * cos(magnetic * .pi / 180) + current
            let east = knots * sin(magnetic * .pi / 180)
            let course = atan2(east, north) * 180 / .pi + 2 * noise.normal()
            collector.take(
                SwingCollector.Sample(
                    compass: .degrees(degrees), course: .degrees(course),
                    speed: .knots((north * north + east * east).squareRoot() + 0.1 * noise.normal())))
        }
        return collector.result()
    }

    @Test("learns the deviation within 0.7° over 3 knots", arguments: [3.1, 5], 1...8 as ClosedRange<UInt64>)
    func learned(knots: Double, seed: UInt64) throws {
        let result = swing(knots: knots, seed: seed)
        #expect(result.refusal == nil)
        let table = try #require(result.table)
        for degrees in stride(from: 0.0, to: 360, by: 5) {
            #expect(abs(table.deviation(at: .degrees(degrees)).degrees - deviation(degrees)) < 0.7)
        }
        #expect(abs(result.residual.degrees - 2) < 0.5)
        #expect((0.2...2).contains(table.uncertainty.degrees))
    }

    @Test("refuses below speed")
    func slow() { #expect(swing(knots: 1.4).refusal == .tooSlow) }

    @Test("refuses with too few headings")
    func half() {
        guard case .tooFewHeadings(let sectors) = swing(knots: 5, to: 180).refusal else {
            Issue.record("accepted")
            return
        }
        #expect(sectors == 6)
    }

    @Test("refuses a deviation that no card is for: the sensor sits askew", arguments: [-58.0, 35])
    func askew(constant: Double) {
        let result = swing(knots: 5, askew: constant)
        guard case .tooLarge(let deviation) = result.refusal else {
            Issue.record("accepted")
            return
        }
        // 4 sin h + 2 cos 2h is never more than 6, and the noise of a table 0.7.
        #expect(deviation.degrees > abs(constant) - 6.7 && deviation.degrees < abs(constant) + 6.7)
    }

    @Test("refuses in current, and says how much")
    func current() {
        guard case .current(let current, _) = swing(knots: 5, current: 0.8).refusal else {
            Issue.record("accepted")
            return
        }
        #expect(abs(current.knots - 0.8) < 0.15)
    }

    @Test("nothing at all is refused")
    func nothing() { #expect(SwingCollector().result().refusal != nil) }

    @Test("the card shows compass, deviation and magnetic, as text and as SVG")
    func card() {
        let table = DeviationTable(
            a: .zero, b: .degrees(4), c: .zero, d: .zero, e: .degrees(2), uncertainty: .degrees(0.5))
        let card = DeviationCard(table, title: "a <b>")
        // 4 sin 90° + 2 cos 180° = 2; 4 sin 270° + 2 cos 540° = -6.
        #expect(card.text.contains("090     2.0 E        092"))
        #expect(card.text.contains("270     6.0 W        264"))
        #expect(card.text.contains("A 0.00  B 4.00  C 0.00  D 0.00  E 2.00"))
        #expect(card.svg.contains("<polyline"))
        #expect(card.svg.contains("a &lt;b&gt;"))
        #expect(!card.svg.contains("nan"))
    }

    @Test("the table and its inverse agree")
    func inverse() {
        let table = DeviationTable(
            a: .degrees(1), b: .degrees(8), c: .degrees(-5), d: .degrees(2), e: .degrees(-3),
            uncertainty: .zero)
        for degrees in stride(from: 0.0, to: 360, by: 7) {
            let magnetic = table.magnetic(compassHeading: .degrees(degrees))
            let back = Angle.shortest(from: .degrees(degrees), to: table.compassHeading(magnetic: magnetic))
            #expect(abs(back.degrees) < 1e-6)
        }
    }
}

@Suite("Learning the level")
struct RestingLevelTests {
    private func level(_ body: Body, count: Int = 200, shake: Double = 0.02) -> Result<
        LevelTilt, RefusedLevel
    > {
        var noise = Cloud(seed: 4)
        var rest = RestingLevel()
        for _ in 0..<count {
            let force = body.specificForce
            rest.take(
                specificForce: force + Vector3(noise.normal(), noise.normal(), noise.normal()) * shake)
        }
        return rest.result()
    }

    @Test("finds roll and pitch", arguments: [(0.0, 0.0), (3, -2), (-8, 12)])
    func tilt(roll: Double, pitch: Double) throws {
        let tilt = try level(Body(heading: 77, roll: roll, pitch: pitch)).get()
        #expect(abs(tilt.roll.degrees - roll) < 0.1)
        #expect(abs(tilt.pitch.degrees - pitch) < 0.1)
    }

    @Test("refuses a vessel that moves, lies on her side, or gave nothing")
    func refused() {
        for result in [
            level(Body(heading: 0), shake: 1), level(Body(heading: 0, roll: 80)),
            level(Body(heading: 0), count: 10),
        ] { if case .success = result { Issue.record("accepted") } }
    }
}
