import HeadingPipeline
import Testing

@Suite("Commands through the pipeline")
struct GuidanceTests {
    /// 60 nautical miles of 1852 m are 111 120 m; a degree of the equator is 111 319.4908 m or 60.11 nmi.
    private func boat(_ change: (inout Settings) -> Void = { _ in }) -> Boat {
        Boat(
            Boat.calibrated {
                $0.heading.declination = .degrees(10)
                change(&$0)
            })
    }

    private func underWay(_ boat: inout Boat, _ longitude: Double, course: Double = 90) {
        var fix = GpsFix(mode: .threeDimensional)
        fix.position = place(0, longitude)
        fix.speed = .knots(6)
        fix.course = .degrees(course)
        fix.horizontalError = .meters(4)
        boat.take(.fix(fix))
    }

    private static let east = Waypoint(position: place(0, 1), name: "East")

    @Test(
        "a destination is answered at once with nulls, then with the way there, and emptied when it is cleared"
    )
    func destination() {
        var boat = boat()
        boat.take(.command(.destination(Self.east)))
        #expect(
            boat.last(.destination)
                == #"{"name":"East","latitude":0.0000000,"longitude":1.0000000,"bearing":null,"#
                + #""bearing_magnetic":null,"distance":null,"distance_unit":"nmi","velocity_made_good":null,"#
                + #""speed_unit":"kn","time_to_go":null,"arrived":false,"time":null}"#)
        boat.wait(.seconds(1))
        underWay(&boat, 0)
        // 60.108 nmi at 6 kn are 36 065 s.
        for (name, value) in [
            ("bearing", "90.0"), ("bearing_magnetic", "80.0"), ("distance", "60.11"),
            ("velocity_made_good", "6.00"), ("time_to_go", "36065"), ("arrived", "false"),
        ] { #expect(boat.member(name, of: .destination) == value, "\(name)") }
        boat.take(.command(.destination(nil)))
        #expect(boat.last(.destination) == "")
        let count = boat.count(.destination)
        boat.wait(.seconds(1))
        underWay(&boat, 0.01)
        boat.wait(.seconds(200))
        #expect(boat.count(.destination) == count)
    }

    @Test("a bearing does not outlive the fixes that it was taken from")
    func losesFixes() {
        var boat = boat()
        boat.take(.command(.destination(Self.east)))
        underWay(&boat, 0)
        boat.take(.command(.steer(OrderedCourse(.degrees(85)))))
        #expect(boat.member("error_course", of: .steer) == "-5.0")
        boat.wait(.seconds(6))
        #expect(boat.member("bearing", of: .destination) == "null")
        #expect(boat.member("error_course", of: .steer) == "null")
        #expect(boat.member("name", of: .destination) == #""East""#)
    }

    @Test("arrival is told at once")
    func arrives() {
        var boat = boat { $0.navigation.arrivalRadius = .meters(100) }
        boat.take(.command(.destination(Self.east)))
        boat.wait(.seconds(1))
        underWay(&boat, 0.9989)
        #expect(boat.member("arrived", of: .destination) == "false")
        boat.wait(.seconds(1))
        underWay(&boat, 0.9992)
        #expect(boat.member("arrived", of: .destination) == "true")
    }

    /// 60° magnetic and 10° east are 70° true.
    @Test("a course to steer is compared with the heading in its reference")
    func steer() {
        var boat = boat()
        boat.take(.command(.steer(OrderedCourse(.degrees(120)))))
        #expect(
            boat.last(.steer)
                == #"{"value":120.0,"unit":"°","reference":"true","error":null,"#
                + #""reason":"no heading","error_course":null,"time":null}"#
        )
        boat.rest(Body(heading: 60), seconds: 1)
        #expect(boat.member("error", of: .steer) == "50.0")
        boat.take(.command(.reference(.magnetic)))
        #expect(boat.last(.reference) == "magnetic")
        boat.rest(Body(heading: 60), seconds: 1)
        // The same course on the water: 120° true are 110° magnetic, and the turn is the same.
        #expect(boat.member("reference", of: .steer) == #""magnetic""#)
        #expect(boat.member("value", of: .steer) == "110.0")
        #expect(boat.member("error", of: .steer) == "50.0")
        boat.rest(Body(heading: 289), seconds: 5)
        #expect(boat.member("error", of: .steer) == "-179.0")
        boat.take(.lost(.magnetometer, reason: "unplugged"))
        #expect(boat.member("error", of: .steer) == "null")
        boat.take(.command(.steer(nil)))
        #expect(boat.last(.steer) == "")
    }

    @Test("a course whose north cannot be converted to that of the heading has no error, and says why")
    func noDeclination() {
        var boat = Boat(Boat.calibrated())
        boat.take(.command(.steer(OrderedCourse(.degrees(120), from: .trueNorth))))
        boat.rest(Body(heading: 60), seconds: 1)
        #expect(
            boat.last(.steer)
                == #"{"value":120.0,"unit":"°","reference":"true","error":null,"#
                + #""reason":"no declination","error_course":null,"time":null}"#)
        // Both are true.
        underWay(&boat, 0, course: 100)
        #expect(boat.member("error_course", of: .steer) == "20.0")
    }

    @Test("a bare number is counted from the north of the heading that is shown when it comes")
    func bareNumber() {
        var boat = Boat(Boat.calibrated { $0.heading.reference = .trueNorth })
        boat.rest(Body(heading: 60), seconds: 1)
        let order = OperatorCommand.steer(OrderedCourse(.degrees(70)))
        #expect(boat.pipeline.settled(order) == .steer(OrderedCourse(.degrees(70), from: .magnetic)))
        boat.take(.command(order))
        #expect(boat.member("error", of: .steer) == "10.0")
        // With the first fix the heading becomes true; the course stays where it was.
        boat.wait(.seconds(1))
        boat.take(.clock(UTCTime(year: 2026, month: 12, day: 1)))
        underWay(&boat, 0)
        boat.rest(Body(heading: 60), seconds: 1)
        let declination = boat.number("declination", of: .headingTrue) ?? 0
        #expect(abs(declination) > 1, "at 0° N 0° E: about -3°")
        #expect(boat.member("reference", of: .steer) == #""true""#)
        #expect(boat.member("error", of: .steer) == "10.0")
        #expect(abs((boat.number("value", of: .steer) ?? 0) - 70 - declination) <= 0.11)
        #expect(boat.pipeline.settled(order) == .steer(OrderedCourse(.degrees(70), from: .trueNorth)))
    }

    @Test("a change of reference turns the course to steer also while there is no heading")
    func referenceWithoutHeading() {
        var boat = boat()
        boat.take(.command(.steer(OrderedCourse(.degrees(120)))))
        boat.take(.command(.reference(.magnetic)))
        #expect(boat.member("value", of: .steer) == "110.0")
        #expect(boat.member("reason", of: .steer) == #""no heading""#)
    }

    @Test("the error keeps to the rate and the deadband of a heading")
    func steerRate() {
        var boat = boat()
        boat.take(.command(.steer(OrderedCourse(.degrees(120)))))
        boat.rest(Body(heading: 60), seconds: 1)
        let before = boat.count(.steer)
        boat.rest(Body(heading: 60), seconds: 50)
        #expect(boat.count(.steer) - before <= 2)
    }

    @Test("an offset and a smoothing act at once, and are answered by their topics")
    func settings() {
        var boat = boat { $0.publish.deadband = .zero }
        boat.rest(Body(heading: 60), seconds: 1)
        boat.take(.command(.headingOffset(.degrees(-12.5))))
        #expect(boat.last(.headingOffset) == "-12.5")
        boat.rest(Body(heading: 60), seconds: 1)
        #expect(boat.member("value", of: .headingMagnetic) == "47.5")
        boat.take(.command(.smoothing(.seconds(10))))
        #expect(boat.last(.smoothing) == "10")
        boat.rest(Body(heading: 60), seconds: 1)
        boat.rest(Body(heading: 62), seconds: 1)
        // 1 - exp(-0.1) of two degrees are 0.19, and less where the vertical is smoothed too.
        let heading = boat.number("value", of: .headingMagnetic) ?? 0
        #expect(heading > 47.5 && heading <= 47.7, "\(heading)")
        boat.take(.command(.smoothing(.zero)))
        boat.rest(Body(heading: 62), seconds: 3)
        #expect(boat.member("value", of: .headingMagnetic) == "49.5")
    }

    @Test(
        "what the topic of a setting shows is a command too, and leaves everything as it is",
        arguments: [
            .destination(east), .destination(Waypoint(position: place(-89.999_999_9, -180))),
            .destination(
                Waypoint(position: place(0, 1e-7), name: String(repeating: "\"🧭\\ö", count: 25))),
            .destination(nil), .steer(OrderedCourse(.degrees(120))), .steer(OrderedCourse(.degrees(359.9))),
            .steer(OrderedCourse(.degrees(0.04))),
            .steer(nil), .reference(.magnetic), .reference(.trueNorth), .smoothing(.zero),
            .smoothing(.seconds(59.999_999_999)), .headingOffset(.degrees(-3.3)),
            .headingOffset(.degrees(180)),
        ] as [OperatorCommand])
    func ownState(command: OperatorCommand) throws {
        var boat = boat()
        underWay(&boat, 0)
        boat.rest(Body(heading: 60), seconds: 1)
        boat.take(.command(command))
        let topic = try #require(Topic.allCases.first { $0.path == command.topic.rawValue })
        let shown = try #require(boat.last(topic))
        guard case .command(let again) = try CommandPayload(command.topic, Array(shown.utf8)) else {
            Issue.record("\(shown) is no command")
            return
        }
        let count = boat.count(topic)
        boat.wait(.milliseconds(100))
        boat.take(.command(again))
        #expect(boat.count(topic) == count + 1)
        #expect(boat.last(topic) == shown)
    }

    @Test("what the topics of a trip and a calibration show is refused, for it would begin something anew")
    func noCommand() throws {
        var boat = boat()
        boat.take(.trip(TripTotals(distance: .meters(18_520))))
        var writer = PayloadWriter()
        CalibrationStatus(quality: VesselCalibration.none).write(to: &writer, time: nil)
        let trip = Array(try #require(boat.last(.trip)).utf8)
        for (topic, shown) in [(CommandTopic.trip, trip), (.calibration, writer.bytes)] {
            #expect(throws: CommandFault.self) { try CommandPayload(topic, shown) }
        }
    }

    @Test("a new offset is no turn of the vessel")
    func offsetIsNoTurn() {
        var boat = boat()
        boat.rest(Body(heading: 60), seconds: 5)
        boat.take(.command(.headingOffset(.degrees(90))))
        let before = boat.count(.rateOfTurn)
        boat.rest(Body(heading: 60), seconds: 5)
        #expect(boat.payloads(.rateOfTurn).dropFirst(before).allSatisfy { $0.contains(#""value":0.0,"#) })
    }

    @Test("a trip goes on from what was kept, grows with the way, and is answered when it is reset")
    func trip() {
        var boat = boat()
        let since = UTCTime(year: 2026, month: 11, day: 29)
        boat.take(.clock(UTCTime(year: 2026, month: 12, day: 1)))
        boat.take(
            .trip(TripTotals(distance: .meters(18_520), maximumSpeed: .knots(7.1), since: since)))
        #expect(
            boat.last(.trip)
                == #"{"value":10.00,"unit":"nmi","max_speed":7.10,"speed_unit":"kn","#
                + #""since":"2026-11-29T00:00:00.000Z","time":"2026-12-01T00:00:00.000Z"}"#)
        // 0.02 degrees of the equator are 1.2 nmi, at 6 kn in 721 s.
        for second in 0...721 {
            boat.wait(.seconds(1))
            underWay(&boat, 0.02 * Double(second) / 721)
        }
        let value = boat.number("value", of: .trip) ?? 0
        #expect(abs(value - 11.2) <= 0.02, "\(value)")
        boat.take(.command(.resetTrip))
        #expect(boat.member("value", of: .trip) == "0.00")
        #expect(boat.member("max_speed", of: .trip) == "0.00")
        #expect(boat.member("since", of: .trip) == #""2026-12-01T00:12:02.000Z""#)
    }

    /// So a recording's later parts, each of which begins with the totals, may be played in a row.
    @Test("a trip that is told its own totals goes on as if it were not")
    func resumed() {
        var boats = [boat(), boat()]
        for index in boats.indices {
            for second in 0...100 {
                boats[index].wait(.seconds(1))
                underWay(&boats[index], 0.02 * Double(second) / 721)
                let totals = boats[index].pipeline.trip.totals
                if index == 1 { boats[index].take(.trip(totals)) }
            }
        }
        #expect(boats[0].pipeline.trip == boats[1].pipeline.trip)
    }

    @Test("distances and speeds come in the units that are set")
    func units() {
        for (distance, speed, values) in [
            (.kilometers, .kilometersPerHour, ("111.32", "11.11")),
            (.meters, .metersPerSecond, ("111319", "3.09")),
            (.miles, .milesPerHour, ("69.17", "6.90")), (.nauticalMiles, .knots, ("60.11", "6.00")),
        ] as [(Settings.DistanceUnit, Settings.SpeedUnit, (String, String))] {
            var boat = boat {
                $0.units.distance = distance
                $0.units.speed = speed
            }
            boat.take(.command(.destination(Self.east)))
            boat.wait(.seconds(1))
            underWay(&boat, 0)
            #expect(boat.member("distance", of: .destination) == values.0)
            #expect(boat.member("velocity_made_good", of: .destination) == values.1)
            #expect(boat.member("distance_unit", of: .destination) == "\"\(distance.rawValue)\"")
        }
    }
}
