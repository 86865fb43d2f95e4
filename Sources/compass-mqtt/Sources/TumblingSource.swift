import Glibc
import HeadingPipeline

/// A simulated magnetometer and accelerometer that somebody turns about in all directions, or on the level, behind
/// hard and soft iron: something to try a calibration on without hardware.
struct TumblingSource: ReadingSource {
    /// Round and round on the level instead of all ways.
    var isLevel = false

    static let hardIron = Vector3(18, -7, 11)
    private static let softIron = Matrix3(
        Vector3(1.05, 0.02, 0), Vector3(0.02, 0.97, -0.01), Vector3(0, -0.01, 0.99))
    private static let identity = "simulated-magnetometer"
    private static let period = Interval.milliseconds(20)
    private let place = GeoPosition(clampedLatitude: .degrees(50.3), longitude: .degrees(-4.2))

    func run(_ line: SourceLine) {
        let elements = MagneticModel.wmm2025.elements(
            at: place, height: .zero, decimalYear: SaneClock.time().decimalYear)
        let field = Vector3(elements.horizontal.microtesla, 0, elements.down.microtesla)
        open(line)
        let start = SystemClock.now()
        var tick = 0
        while line.wait(until: start + Self.period * Double(tick)) != .stopping {
            deliver(tick, field, line)
            tick += 1
        }
    }

    private func open(_ line: SourceLine) {
        for source in [Source.magnetometer, .accelerometer] {
            let description = SensorDescription(
                identity: "simulated-\(source)", name: "simulated", mountMatrix: nil, mode: "simulated",
                rate: 50)
            line.deliver(.opened(source, description))
        }
        var fix = GpsFix(mode: .threeDimensional)
        fix.position = place
        fix.time = SaneClock.time()
        line.deliver(.fix(fix))
    }

    private func deliver(_ tick: Int, _ field: Vector3, _ line: SourceLine) {
        let attitude = attitude(at: Double(tick) * Self.period.seconds)
        let noise =
            Vector3(sin(Double(tick) * 12.9), sin(Double(tick) * 78.2), sin(Double(tick) * 37.7)) * 0.3
        let force = attitude * Vector3(0, 0, -9.80665)
        line.deliver(.sample(SensorSample(source: .accelerometer, vector: force)))
        let raw = Self.softIron * (attitude * field) + Self.hardIron + noise
        line.deliver(.sample(SensorSample(source: .magnetometer, vector: raw)))
    }

    /// From north, east, down into the sensor's frame.
    private func attitude(at seconds: Double) -> Matrix3 {
        if isLevel { return turn(seconds * 0.6, .diagonal(Vector3(1, -1, -1))) }
        // Three turns at rates that have no common measure come by every direction.
        let yaw = turn(seconds * 1.9, .identity)
        let roll = Matrix3(
            Vector3(1, 0, 0), Vector3(0, cos(seconds * 0.83), sin(seconds * 0.83)),
            Vector3(0, -sin(seconds * 0.83), cos(seconds * 0.83)))
        return turn(seconds * 0.31, .identity) * roll * yaw
    }

    private func turn(_ angle: Double, _ axes: Matrix3) -> Matrix3 {
        axes
            * Matrix3(
                Vector3(cos(angle), sin(angle), 0), Vector3(-sin(angle), cos(angle), 0), Vector3(0, 0, 1))
    }
}
