import Glibc

/// An agent's right to open the sensors, which it does not have while a calibration reads them itself.
final class SensorClaim {
    private let stateDirectory: String
    private var lock: SensorLock?
    private var hasSaidSo = false

    init(stateDirectory: String) { self.stateDirectory = stateDirectory }

    /// Where no lock can be had at all, as in a folder that cannot be written, there is nothing to wait for.
    func acquire() -> Bool {
        do throws(Errno) {
            lock = try SensorLock(stateDirectory: stateDirectory, holder: .agent)
            return true
        } catch {
            guard error.code == EWOULDBLOCK else { return true }
            if !hasSaidSo { Log.warning("a calibration reads the sensors: waiting until it has ended") }
            hasSaidSo = true
            return false
        }
    }
}
