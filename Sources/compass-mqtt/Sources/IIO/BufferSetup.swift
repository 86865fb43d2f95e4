import Glibc
import HeadingPipeline

/// The attributes that make a device fill its buffer, and the way back.
struct BufferSetup {
    let device: IIODevice
    private var changes: AttributeChanges

    /// Frames that the kernel keeps for us while we are busy elsewhere.
    private static let length = 64
    private static let enable = "buffer/enable"
    private static let currentTrigger = "trigger/current_trigger"
    private static let clock = "current_timestamp_clock"

    /// Ends what a program that died may have left running; whoever holds the device's node may do so.
    init(_ device: IIODevice) throws(BufferRefusal) {
        self.device = device
        changes = AttributeChanges(of: device.folder)
        try stop()
    }

    /// Everything but the start. Channels can be chosen and a trigger set only while the buffer stands still.
    mutating func prepare(
        _ channels: [IIOChannel], among triggers: [IIOTrigger], wanted: String?
    ) throws(BufferRefusal) -> IIOTrigger? {
        let names = device.scanElements(for: channels).map(\.name)
        for file in device.folder.folder("scan_elements").entries where file.hasSuffix("_en") {
            try set("scan_elements/" + file, to: names.contains(String(file.dropLast(3))) ? "1" : "0")
        }
        let trigger = try chooseTrigger(among: triggers, wanted)
        if let trigger { try set(Self.currentTrigger, to: trigger.name) }
        // Neither is worth giving the buffer up for.
        for (file, value) in [("buffer/length", "\(Self.length)"), (Self.clock, "monotonic")] {
            do throws(BufferRefusal) {
                if device.folder.has(file) { try set(file, to: value) }
            } catch {
                Log.debug("\(device.identity): \(file) stays as it is: \(error)")
            }
        }
        return trigger
    }

    var clockSource: CaptureClock.Source {
        device.folder.text(Self.clock) == "monotonic" ? .monotonic : .wall
    }

    func start(with trigger: IIOTrigger?) throws(BufferRefusal) {
        do throws(Errno) {
            try device.folder.write("1", to: Self.enable)
        } catch {
            // The kernel's word for a missing trigger.
            if error.code == EINVAL, trigger == nil { throw .noTrigger(TriggerChoice.hint) }
            throw BufferRefusal(path(Self.enable), error)
        }
    }

    func stop() throws(BufferRefusal) {
        guard device.folder.text(Self.enable) == "1" else { return }
        try BufferRefusal.check(path(Self.enable)) { () throws(Errno) in
            try device.folder.write("0", to: Self.enable)
        }
    }

    /// Stops it and puts back what was there before.
    mutating func undo() {
        guard device.folder.exists else { return }
        do throws(BufferRefusal) {
            try stop()
        } catch {
            Log.debug("\(device.identity): \(error)")
        }
        changes.undo()
    }

    /// `nil` where the device does without one, or where none is there: then the start tells.
    private func chooseTrigger(
        among triggers: [IIOTrigger], _ wanted: String?
    ) throws(BufferRefusal) -> IIOTrigger? {
        guard device.folder.has(Self.currentTrigger) else { return nil }
        let current = device.folder.text(Self.currentTrigger)
        switch TriggerChoice(for: device, among: triggers, current: current, wanted: wanted) {
        case .use(let trigger): return trigger
        case .missing(let reason):
            if wanted != nil { throw .noTrigger(reason) }
            return nil
        }
    }

    private func path(_ file: String) -> String { device.folder.path + "/" + file }

    private mutating func set(_ file: String, to value: String) throws(BufferRefusal) {
        do throws(Errno) {
            try changes.set(file, to: value)
        } catch {
            throw BufferRefusal(path(file), error)
        }
    }
}
