/// The attribute that sets how often a device measures. Its name differs by driver.
package struct SamplingFrequency: Hashable, Sendable {
    package var attribute: String
    /// Measurements a second now; `nil` where the device does not tell.
    package var current: Double?
    package var available: Available

    package enum Available: Hashable, Sendable {
        case unknown
        /// The values as the driver writes them: it wants them back in the same words.
        case listed([String])
        case between(Double, Double)
    }

    package init(attribute: String, current: Double?, available: String?) {
        self.attribute = attribute
        self.current = current
        self.available = available.map(Self.parse) ?? .unknown
    }

    /// Reads `0.75 1.5 3.0` or `[1 1 400]` (least, step, greatest).
    private static func parse(_ text: String) -> Available {
        let words = text.split(whereSeparator: { $0.isWhitespace || $0 == "[" || $0 == "]" }).map(String.init)
        let numbers = words.compactMap { Double($0) }.filter { $0.isFinite && $0 > 0 }
        guard numbers.count == words.count, !words.isEmpty else { return .unknown }
        if text.hasPrefix("[") { return words.count == 3 ? .between(numbers[0], numbers[2]) : .unknown }
        return .listed(words)
    }

    /// What to write so that the device measures at least `rate` times a second, or as near to it as it can;
    /// `nil` where it does so already.
    package func word(for rate: Double) -> String? {
        let (word, value) = choice(for: rate)
        if let current, abs(current - value) <= 0.001 * value { return nil }
        return word
    }

    private func choice(for rate: Double) -> (String, Double) {
        switch available {
        case .unknown: return (Self.word(rate), rate)
        case .between(let least, let greatest):
            let value = max(least, min(greatest, rate))
            return (Self.word(value), value)
        case .listed(let words):
            let offers = words.compactMap { word in Double(word).map { (word, $0) } }
            let enough = offers.filter { $0.1 >= rate * 0.999 }.min { $0.1 < $1.1 }
            return enough ?? offers.max { $0.1 < $1.1 } ?? (Self.word(rate), rate)
        }
    }

    /// Whole where it can be: some drivers take no decimals.
    package static func word(_ rate: Double) -> String {
        decimalText(rate, places: rate == rate.rounded() ? 0 : 3)
    }
}
