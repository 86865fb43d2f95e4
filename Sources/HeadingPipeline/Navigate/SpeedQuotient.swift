/// Recognises speeds that gpsd has made itself, by dividing the way between two positions by the time between
/// them, because the receiver gave none. They show the positions' noise in full, and pass for the receiver's.
struct SpeedQuotient: Sendable {
    private var last: (earthFixedMeters: Vector3, time: UTCTime)?
    private var isLikely = false

    /// Whether the speed of this fix is such a quotient. Must see every fix in turn, refused ones too.
    mutating func recognizes(_ fix: GpsFix, at earthFixedMeters: Vector3) -> Bool {
        guard let time = fix.time else { return false }
        let before = last
        if before?.time != time { last = (earthFixedMeters, time) }
        guard let speed = fix.speed?.metersPerSecond, fix.course == nil else {
            isLikely = false
            return false
        }
        guard let before, before.time < time else { return isLikely }
        let way = (earthFixedMeters - before.earthFixedMeters).length
        let quotient = way / (time - before.time).seconds
        // At rest both are 0, which tells nothing.
        if max(speed, quotient) > 0.05 { isLikely = abs(speed - quotient) <= 0.006 + 0.01 * quotient }
        return isLikely
    }
}
