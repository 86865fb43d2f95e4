import HeadingPipeline
import Testing

@Suite("Diagnostics")
struct DiagnosticsTests {
    private func text(_ boat: Boat) -> String {
        let diagnostics = Diagnostics(
            pipeline: boat.pipeline, rates: SourceRates(at: boat.now), at: boat.now, uptime: .seconds(5),
            version: "1", libraries: "none", broker: .init(connects: 2, messages: 7, lastFault: "reset"))
        var writer = PayloadWriter()
        diagnostics.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("say of each refused reading why, and how many there were")
    func refusals() {
        var boat = Boat(Boat.calibrated())
        boat.magnetometer(.zero)
        for _ in 0..<3 { boat.take(.refused(.gps, .zeroPosition)) }
        #expect(text(boat).contains(#""rejected":{"zero_field":1,"zero_position":3}"#))
    }

    @Test("count commands where the agent takes any")
    func commands() {
        let boat = Boat()
        var writer = PayloadWriter()
        let counts = Diagnostics.Commands(accepted: 3, refused: 12)
        let expected = #","commands":{"accepted":3,"refused":12}}"#
        for (commands, isThere) in [(counts, true), (nil, false)] as [(Diagnostics.Commands?, Bool)] {
            Diagnostics(
                pipeline: boat.pipeline, rates: SourceRates(at: boat.now), at: boat.now, uptime: .seconds(5),
                version: "1", libraries: "none", broker: .init(connects: 2, messages: 7, lastFault: nil),
                commands: commands
            ).write(to: &writer)
            #expect(String(decoding: writer.bytes, as: UTF8.self).hasSuffix(expected) == isThere)
        }
    }

    @Test("say why a source is offline, and how old its last good reading is")
    func reasons() {
        var boat = Boat(Boat.calibrated())
        #expect(text(boat).contains(#""gps":{"status":"offline","reason":"not started","#))
        boat.take(.lost(.gps, reason: "no device"))
        boat.rest(Body(heading: 60), seconds: 1)
        boat.wait(.seconds(2))
        let text = text(boat)
        #expect(text.contains(#""gps":{"status":"offline","reason":"no device","#))
        #expect(text.contains(#""magnetometer":{"status":"online","reason":null,"#))
        #expect(text.contains(#""age":2.0}"#))
    }

    @Test("say model_expired after the model's years")
    func expired() {
        var boat = Boat(Boat.calibrated())
        boat.fix(50.3, -4.2, time: UTCTime(year: 2029, month: 12, day: 31))
        #expect(!text(boat).contains("model_expired"))
        #expect(boat.member("model_expired", of: .declination) == "false")
        boat.wait(.seconds(2 * 86_400))
        boat.fix(50.3, -4.2, time: UTCTime(year: 2030, month: 1, day: 2))
        #expect(text(boat).contains("model_expired"))
        #expect(boat.member("model_expired", of: .declination) == "true")
    }

    @Test("say that a receiver's date of 7168 days ago was put right; the position has the right one")
    func rollover() {
        var boat = Boat(buildDate: UTCTime(year: 2026, month: 11, day: 30))
        boat.fix(50.3, -4.2, time: UTCTime(year: 2007, month: 4, day: 17))
        #expect(text(boat).contains("gps_week_rollover: 1024 weeks added"))
        #expect(boat.member("time", of: .position) == #""2026-12-01T00:00:00.000Z""#)
    }

    @Test("say that a scale must be wrong, with the ratio")
    func scale() {
        var boat = Boat(Boat.calibrated())
        boat.fix(50.37, -4.14, time: UTCTime(year: 2026, month: 11, day: 30))
        boat.rest(Body(heading: 60), seconds: 3, field: Body.plymouth * 100)
        #expect(text(boat).contains("scale_suspect: field 99.") || text(boat).contains("field 100."))
    }
}
