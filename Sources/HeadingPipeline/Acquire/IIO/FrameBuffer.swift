/// Puts the frames of a buffer together again where reads cut them.
package struct FrameBuffer {
    private let frameSize: Int
    private var bytes: [UInt8]
    private var filled = 0

    /// Room for `frames` whole frames.
    package init(frameSize: Int, frames: Int) {
        self.frameSize = max(frameSize, 1)
        bytes = [UInt8](repeating: 0, count: self.frameSize * max(frames, 1))
    }

    /// Lets `read` fill the free part; what it returns is how many bytes it put there. A failure of the read is
    /// its own result, since it changes nothing here.
    package mutating func fill<Failure>(
        _ read: (UnsafeMutableRawBufferPointer) -> Result<Int, Failure>
    ) -> Result<Int, Failure> {
        let start = filled
        let result = bytes.withUnsafeMutableBytes {
            read(UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
        }
        if case .success(let count) = result { filled = min(start + max(count, 0), bytes.count) }
        return result
    }

    package var wholeFrames: Int { filled / frameSize }

    /// Hands over each whole frame, oldest first, with how many follow it, and keeps the rest.
    package mutating func takeFrames(_ body: (UnsafeRawBufferPointer, _ following: Int) -> Void) {
        let count = wholeFrames
        let rest = filled - count * frameSize
        bytes.withUnsafeMutableBytes { bytes in
            for index in 0..<count {
                let frame = UnsafeRawBufferPointer(
                    rebasing: bytes[index * frameSize..<(index + 1) * frameSize])
                body(frame, count - 1 - index)
            }
            for index in 0..<rest { bytes[index] = bytes[count * frameSize + index] }
        }
        filled = rest
    }
}
