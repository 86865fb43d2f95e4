import Glibc

/// The helm and the sea: attitude and velocity of the simulated vessel as smooth functions of the time since
/// its start, without memory and without noise.
struct VesselMotion: Sendable {
    /// Of the place, positive east.
    let declination: Angle
    let sea: Sea
    var helm = Helm.voyage

    /// One straight stretch and the turn after it.
    private struct Leg {
        var hold: Double
        /// Positive to starboard.
        var turn: Angle
        var turnTime: Double

        var duration: Double { hold + turnTime }
    }

    /// Through north to starboard, on to the south-east, back through north to port, to the south and home.
    private static let legs = [
        Leg(hold: 8, turn: .degrees(100), turnTime: 25), Leg(hold: 20, turn: .degrees(80), turnTime: 20),
        Leg(hold: 20, turn: .degrees(-180), turnTime: 45), Leg(hold: 20, turn: .degrees(-120), turnTime: 30),
        Leg(hold: 30, turn: .degrees(120), turnTime: 30),
    ]
    /// In a second.
    private static let circling = Angle.degrees(3)
    private static let firstHeading = Angle.degrees(320)
    private static let cycle = legs.reduce(0) { $0 + $1.duration }

    /// Magnetic heading with its yawing in the waves, not folded.
    func heading(at seconds: Double) -> Angle {
        steeredHeading(at: seconds) + sea.yaw * wave(seconds, period: 7.1)
    }

    /// The heading that the helm wants. A turn begins and ends gently, with the rate of a half sine wave.
    private func steeredHeading(at seconds: Double) -> Angle {
        if helm == .circles { return Self.firstHeading + Self.circling * seconds }
        var rest = fmod(max(seconds, 0), Self.cycle)
        var heading = Self.firstHeading
        for leg in Self.legs {
            if rest < leg.duration {
                let progress = max(0, rest - leg.hold) / leg.turnTime
                return heading + leg.turn * ((1 - cos(.pi * progress)) / 2)
            }
            rest -= leg.duration
            heading = heading + leg.turn
        }
        return heading
    }

    private func wave(_ seconds: Double, period: Double, phase: Double = 0) -> Double {
        sin(2 * .pi * seconds / period + phase)
    }

    /// Relative to magnetic north. She heels from the wind, which blows from 250°, and rolls and pitches.
    func attitude(at seconds: Double) -> VesselAttitude {
        let heading = heading(at: seconds)
        return VesselAttitude(
            heading: heading,
            pitch: .degrees(1) + sea.pitch * wave(seconds, period: 4.3, phase: 1),
            roll: heel(heading) + sea.roll * wave(seconds, period: 5.7))
    }

    private func heel(_ heading: Angle) -> Angle { sea.heel * (heading - .degrees(250)).sine }

    /// Radians a second, body frame, from differences over two milliseconds.
    func rotation(at seconds: Double) -> Vector3 {
        let step = 1e-3
        let (before, after) = (attitude(at: seconds - step), attitude(at: seconds + step))
        func rate(_ angle: KeyPath<VesselAttitude, Angle>) -> Double {
            (after[keyPath: angle] - before[keyPath: angle]).radians / (2 * step)
        }
        return attitude(at: seconds).bodyRates(
            heading: rate(\.heading), pitch: rate(\.pitch), roll: rate(\.roll))
    }

    /// Over ground, (true north, east, down) in metres a second: 5 to 6 knots through the water, a leeway of up
    /// to 2° away from the wind, and a current of 0.3 knots that sets to 070°.
    func velocity(at seconds: Double) -> Vector3 {
        let speed = Speed.knots(5.5 + 0.5 * wave(seconds, period: 97)).metersPerSecond
        let heading = steeredHeading(at: seconds)
        let direction = heading + declination + (heading - .degrees(250)).sine * .degrees(2)
        let current = Speed.knots(0.3).metersPerSecond
        let setting = Angle.degrees(70)
        let sway = sea.sway.metersPerSecond * wave(seconds, period: 5.7)
        return Vector3(
            speed * direction.cosine + current * setting.cosine - sway * direction.sine,
            speed * direction.sine + current * setting.sine + sway * direction.cosine,
            0.15 * wave(seconds, period: 4.3))
    }

    /// (true north, east, down) in metres a second squared.
    func acceleration(at seconds: Double) -> Vector3 {
        let step = 0.01
        return (velocity(at: seconds + step) - velocity(at: seconds - step)) / (2 * step)
    }
}
