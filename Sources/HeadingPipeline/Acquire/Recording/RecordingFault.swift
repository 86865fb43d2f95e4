/// Why a line of a recording is no reading.
package enum RecordingFault: String, Error, CaseIterable, Sendable {
    case noTime = "does not begin with a time in nanoseconds"
    case leap = "lies more than a day after the reading before"
    case unknownKind = "unknown kind of reading"
    case unknownSource = "unknown source"
    case unknownReason = "unknown reason"
    case unknownCommand = "unknown command"
    case number = "a number is missing or malformed"
    case text = "a text is missing or malformed"
    case place = "no place on Earth"
    case surplus = "an unknown field, or one that stands in the wrong place"
    case tooLong = "is longer than any reading"
}
