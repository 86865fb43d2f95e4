import Glibc
import HeadingPipeline

/// Takes what a device's buffer gives, frame by frame.
struct BufferCapture {
    private let buffer: DeviceBuffer
    private var frames: FrameBuffer
    private var clock: CaptureClock
    private let period: Interval
    /// After so long without a frame the trigger counts as dead.
    private let silence: Interval
    private var deadline: Instant

    enum Step {
        case read, silent, stopping
        case ended(String)
    }

    init(_ buffer: DeviceBuffer, rate: Double) {
        self.buffer = buffer
        frames = FrameBuffer(frameSize: buffer.decoder.frameSize, frames: 64)
        clock = CaptureClock(buffer.clockSource)
        period = .seconds(1 / max(rate, 0.001))
        silence = max(.seconds(2), period * 5)
        deadline = SystemClock.now() + silence
    }

    /// Waits for frames and delivers them.
    mutating func next(_ line: SourceLine) -> Step {
        switch line.wait(until: deadline, readable: buffer.descriptor) {
        case .stopping: return .stopping
        case .timeout: return .silent
        case .readable: return take(line)
        }
    }

    private mutating func take(_ line: SourceLine) -> Step {
        line.expectProgress(within: IIOSource.patience)
        switch frames.fill({ buffer.read(into: $0) }) {
        case .success(0): return .ended("its buffer was switched off")
        case .success: break
        case .failure(Errno(EAGAIN)):
            // Awake for nothing: not again at once.
            _ = line.wait(until: SystemClock.now() + .milliseconds(5))
            return SystemClock.now() < deadline ? .read : .silent
        case .failure(let error): return .ended("the device is gone (\(error))")
        }
        if frames.wholeFrames > 0 { deliver(line) }
        return .read
    }

    private mutating func deliver(_ line: SourceLine) {
        let now = SystemClock.now()
        let wall = SystemClock.wallTime()
        deadline = now + silence
        let decoder = buffer.decoder
        frames.takeFrames { frame, following in
            let stamp = decoder.timestamp(of: frame)
            let at =
                stamp.map { clock.instant(of: $0, now: now, wall: wall) }
                ?? clock.instant(following: following, period: period, now: now)
            decoder.decode(frame) { line.deliver($0, at: at) }
        }
    }
}
