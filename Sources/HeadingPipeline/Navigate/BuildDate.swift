/// The day of this release: no clock that is right shows an earlier one. Set when a release is made.
package enum BuildDate {
    package static let current = UTCTime(year: 2026, month: 11, day: 30)
}
