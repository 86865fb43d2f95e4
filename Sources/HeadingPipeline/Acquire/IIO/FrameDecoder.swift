/// Takes a buffer's frames apart into the readings of the channels that are enabled.
package struct FrameDecoder: Sendable {
    package let frameSize: Int
    private let channels: [Channel]
    private let timestamp: Place?

    private struct Place: Sendable {
        var offset: Int
        var type: ScanType
    }

    private struct Channel: Sendable {
        var places: [Place]
        var conversion: ChannelConversion
    }

    /// For the frames of `device` with what `channels` need enabled; `nil` unless the buffer has every channel.
    package init?(_ channels: [IIOChannel], of device: IIODevice) {
        guard !channels.isEmpty, channels.allSatisfy(\.isBufferable) else { return nil }
        let layout = ScanLayout(device.scanElements(for: channels))
        func place(_ element: ScanElement) -> Place? {
            layout.offset(of: element.name).map { Place(offset: $0, type: element.type) }
        }
        frameSize = layout.frameSize
        timestamp = device.timestamp.flatMap(place)
        self.channels = channels.map { channel in
            Channel(
                places: channel.inputs.compactMap { $0.scan.flatMap(place) }, conversion: channel.conversion)
        }
    }

    /// The time of capture, by the clock that the device is set to.
    package func timestamp(of frame: UnsafeRawBufferPointer) -> Int64? {
        timestamp.flatMap { $0.type.value(in: frame, at: $0.offset) }
    }

    /// Calls `deliver` with the reading of each channel; a frame that is cut short gives none.
    package func decode(_ frame: UnsafeRawBufferPointer, deliver: (Reading.Content) -> Void) {
        guard frame.count >= frameSize else { return }
        for channel in channels {
            var raw = RawCounts()
            for (input, place) in channel.places.enumerated() {
                raw[input] = place.type.value(in: frame, at: place.offset) ?? 0
            }
            deliver(channel.conversion.reading(raw))
        }
    }
}
