import HeadingPipeline

/// Fixes of a vessel under way, for a tracker: where it truly is, and what its receiver says.
struct Voyage {
    var tracker: FixTracker
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var time = UTCTime(year: 2026, month: 11, day: 30)
    /// Where it truly is.
    var truth: GeoPosition
    /// One sigma in north and in east, in metres.
    var noise = 0.0
    var random: SplitMix64

    init(from start: GeoPosition = place(50.3, -4.2), noise: Double = 0, seed: UInt64 = 1) {
        tracker = FixTracker(settings: Settings().gps)
        truth = start
        self.noise = noise
        random = SplitMix64(state: seed)
    }

    /// Lets time pass on a course and gives the fix at its end.
    mutating func sail(
        _ seconds: Double = 1, course: Double, speed: Double, report: (inout GpsFix) -> Void = { _ in }
    ) -> FixTracker.Outcome {
        truth =
            Geodesic.destination(
                from: truth, bearing: .degrees(course), distance: .meters(speed * seconds)
            ).position
        now = now + .seconds(seconds)
        time = time + .seconds(seconds)
        var fix = GpsFix(mode: .threeDimensional)
        fix.time = time
        fix.position = displaced(truth)
        fix.horizontalError = .meters(5)
        report(&fix)
        return tracker.update(fix, at: now)
    }

    private mutating func displaced(_ place: GeoPosition) -> GeoPosition {
        guard noise > 0 else { return place }
        let north = random.gaussian() * noise
        let east = random.gaussian() * noise
        return Geodesic.destination(
            from: place, bearing: .direction(north: north, east: east),
            distance: .meters((north * north + east * east).squareRoot())
        ).position
    }
}

extension FixTracker.Outcome {
    var navigation: Navigation? {
        if case .navigation(let navigation) = self { return navigation }
        return nil
    }

    var rejection: Rejection? {
        if case .refused(let rejection) = self { return rejection }
        return nil
    }
}
