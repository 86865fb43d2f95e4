import Glibc
import HeadingPipeline

/// A device's buffer, set up and running. It leaves the device as it was.
final class DeviceBuffer {
    let decoder: FrameDecoder
    let clockSource: CaptureClock.Source
    let trigger: IIOTrigger?
    private let node: Descriptor
    private var setup: BufferSetup

    var descriptor: Int32 { node.number }

    init(
        _ device: IIODevice, _ channels: [IIOChannel], root: IIORoot, wantedTrigger: String?
    ) throws(BufferRefusal) {
        guard device.hasBuffer, let decoder = FrameDecoder(channels, of: device) else {
            throw .absent
        }
        self.decoder = decoder
        let path = root.node(of: device)
        // Only one program can hold the node, so first of all it shows whether the buffer is free.
        node = try BufferRefusal.check(path) { () throws(Errno) in
            try Descriptor.open(path, O_RDONLY | O_NONBLOCK)
        }
        var setup = try BufferSetup(device)
        do throws(BufferRefusal) {
            trigger = try setup.prepare(channels, among: root.triggers(), wanted: wantedTrigger)
            clockSource = setup.clockSource
            try setup.start(with: trigger)
        } catch {
            setup.undo()
            throw error
        }
        self.setup = setup
    }

    deinit { setup.undo() }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Result<Int, Errno> {
        do throws(Errno) {
            return .success(try node.read(into: buffer))
        } catch {
            return .failure(error)
        }
    }
}
