import HeadingPipeline

extension IIOPlan.Assignment {
    /// The device and what is read from it, once it measures as often as is needed. `conversions`: how many
    /// measurements a reading takes. What the device refuses is harmless: it goes on at its own rate.
    func prepared(
        _ settings: Settings, conversions: (IIOChannel) -> Int
    ) -> (IIODevice, [IIOChannel]) {
        var needs: [String: (SamplingFrequency, rate: Double)] = [:]
        // A try with the buffer may have set another rate since the device was found.
        for channel in described().1 {
            guard let frequency = channel.frequency else { continue }
            let rate = settings.sensor(channel.kind.source).rate * Double(conversions(channel))
            needs[frequency.attribute] = (frequency, max(rate, needs[frequency.attribute]?.rate ?? 0))
        }
        for (attribute, (frequency, rate)) in needs {
            guard let word = frequency.word(for: rate) else { continue }
            do throws(Errno) {
                try device.folder.write(word, to: attribute)
            } catch {
                Log.debug("\(device.identity): \(attribute) stays as it is: \(error)")
            }
        }
        return described()
    }

    /// Read again, since some chips have another scale at another rate.
    private func described() -> (IIODevice, [IIOChannel]) {
        guard let fresh = IIODevice(device.folder) else {
            return (device, channels)
        }
        let known = channels.compactMap { fresh.channel($0.kind) }
        return known.count == channels.count ? (fresh, known) : (device, channels)
    }
}
