import HeadingPipeline

/// Where a replay's messages go.
protocol ReplayOutput: AnyObject {
    func put(_ topic: Topic, _ payload: [UInt8])
    /// After each reading.
    func flushIfFull() throws(ReplayError)
    /// Hands over what was put and sleeps. False: somebody wants the replay to end.
    func wait(until moment: Instant) throws(ReplayError) -> Bool
    func finish() throws(ReplayError)
}
