/// A moment in UTC, in nanoseconds since 1970-01-01T00:00:00Z; leap seconds are not counted.
package struct UTCTime: Comparable, Hashable, Sendable {
    package var nanoseconds: Int64
    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The first moment of a day of the Gregorian calendar. `month` 1...12, `day` 1...31. What lies before 1677 or
    /// after 2262 is as far off as it goes.
    package init(year: Int, month: Int, day: Int) {
        let days = Int64(CivilDate(year: year, month: month, day: day).daysSince1970)
        let (nanoseconds, isBeyond) = days.multipliedReportingOverflow(by: Self.day)
        self.init(nanoseconds: isBeyond ? (days < 0 ? .min : .max) : nanoseconds)
    }

    package static let day: Int64 = 86_400_000_000_000
    package static func < (a: UTCTime, b: UTCTime) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func - (a: UTCTime, b: UTCTime) -> Interval {
        Interval(nanoseconds: a.nanoseconds.saturatingSubtract(b.nanoseconds))
    }
    package static func + (a: UTCTime, b: Interval) -> UTCTime {
        UTCTime(nanoseconds: a.nanoseconds.saturatingAdd(b.nanoseconds))
    }

    package var date: CivilDate {
        CivilDate(daysSince1970: Int(nanoseconds.flooredQuotient(by: Self.day)))
    }
    /// Nanoseconds since midnight, 0 ..< 86 400 000 000 000.
    package var timeOfDay: Int64 {
        let rest = nanoseconds % Self.day
        return rest < 0 ? rest + Self.day : rest
    }

    /// The year with its elapsed part: 2025-07-02T12:00 is 2025.5. The magnetic model's time argument.
    package var decimalYear: Double {
        let year = date.year
        let start = UTCTime(year: year, month: 1, day: 1)
        let end = UTCTime(year: year + 1, month: 1, day: 1)
        return Double(year) + (self - start).seconds / (end - start).seconds
    }
}

/// A day of the proleptic Gregorian calendar.
///
/// Conversion after Howard Hinnant, "chrono-compatible low-level date algorithms" (days_from_civil).
package struct CivilDate: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    package init(daysSince1970: Int) {
        let shifted = daysSince1970 + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Whether the calendar has this day: 2025-02-29 does not exist.
    package var exists: Bool {
        (1...12).contains(month) && CivilDate(daysSince1970: daysSince1970) == self
    }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
