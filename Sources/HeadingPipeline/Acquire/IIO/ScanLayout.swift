/// A channel of a buffer: its name without a suffix (`in_magn_x`), its place in the order of channels, its type.
package struct ScanElement: Hashable, Sendable {
    package var name: String
    package var index: Int
    package var type: ScanType

    package init(name: String, index: Int, type: ScanType) {
        self.name = name
        self.index = index
        self.type = type
    }

    /// The kernel's channel for the time of capture.
    package static let timestampName = "in_timestamp"
}

/// Where each enabled channel lies in a frame of the buffer.
///
/// The kernel packs the enabled channels in the order of their indices, each at a multiple of its own size,
/// and fills the frame up to a multiple of the largest (`iio_compute_scan_bytes`).
package struct ScanLayout: Hashable, Sendable {
    package let frameSize: Int
    private let offsets: [String: Int]

    package init(_ enabled: [ScanElement]) {
        var offsets: [String: Int] = [:]
        var end = 0
        var largest = 1
        for element in enabled.sorted(by: { $0.index < $1.index }) {
            let size = element.type.byteCount
            let start = end.roundedUp(toMultipleOf: size)
            offsets[element.name] = start
            end = start + size
            largest = max(largest, size)
        }
        frameSize = end.roundedUp(toMultipleOf: largest)
        self.offsets = offsets
    }

    package func offset(of name: String) -> Int? { offsets[name] }
}

extension Int {
    fileprivate func roundedUp(toMultipleOf step: Int) -> Int { (self + step - 1) / step * step }
}
