import Glibc

/// Who reads the sensors: agents share this lock on a file of the state folder, a calibration that opens devices
/// itself has it alone. The kernel lets go of it when the process ends, however it ends.
struct SensorLock: ~Copyable, Sendable {
    private let file: Descriptor

    enum Holder { case agent, calibration }

    /// Throws EWOULDBLOCK where the other kind holds it.
    init(stateDirectory: String, holder: Holder) throws(Errno) {
        let file = try Descriptor.open(
            stateDirectory + "/sensors.lock", O_RDONLY | O_CREAT | O_NONBLOCK, mode: 0o660)
        let kind = holder == .agent ? LOCK_SH : LOCK_EX
        try Errno.check { flock(file.number, kind | LOCK_NB) }
        self.file = file
    }
}
