import HeadingPipeline

/// Where a calibration gets its readings from, and where what was learned goes: the agent that runs, or devices of
/// its own.
protocol ReadingFeed: AnyObject {
    /// In words, for the person at the terminal.
    var origin: String { get }
    /// Readable when there is something to take.
    var descriptor: Int32 { get }
    /// Replaces the batch by what has come. Throws when no more will come.
    func take(into batch: inout [Reading]) throws(FeedFault)
    /// Saves a record and puts it in force, or `behind` the one in force; the file's path.
    func save(_ record: CalibrationRecord, behind: Bool) throws(FeedFault) -> String
    /// Goes back to the calibration before; `nil`: there is none.
    func restore(_ kind: CalibrationRecord.Kind, of sensor: String) throws(FeedFault) -> String?
    func stop()
}

extension ReadingFeed {
    func save(_ record: CalibrationRecord) throws(FeedFault) -> String { try save(record, behind: false) }
}

struct FeedFault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
