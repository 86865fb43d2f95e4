import Glibc
import HeadingPipeline

/// A log of a nine-axis sensor with the true heading of its x axis: the BROAD trials (Laidig et al. 2021, CC-BY-4.0)
/// as prepared in the shared data, 28.6 rows a second, each the mean over its block.
struct RecordedLog {
    let name: String
    private let rows: [Row]

    struct Row {
        var at: Instant
        /// Sensor frame: rad/s, m/s², µT.
        var rotation, force, field: Vector3
        var truth: Angle?
        var isMoving: Bool
    }

    init?(name: String, path: String) {
        guard let text = Self.read(path) else { return nil }
        self.name = name
        rows = text.split(whereSeparator: \.isNewline).dropFirst().compactMap(Self.row)
    }

    private static func row(_ line: Substring) -> Row? {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard fields.count >= 18 else { return nil }
        func vector(_ first: Int) -> Vector3? {
            guard let x = fields[first], let y = fields[first + 1], let z = fields[first + 2] else {
                return nil
            }
            return Vector3(x, y, z)
        }
        guard let time = fields[0], let rotation = vector(1), let force = vector(4), let field = vector(7)
        else { return nil }
        return Row(
            at: Instant(nanoseconds: 1_000_000_000) + .seconds(time), rotation: rotation * (.pi / 180),
            force: force * Vertical.gravity, field: field, truth: fields[16].map(Angle.degrees),
            isMoving: fields[17] == 1)
    }

    private static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }

    /// A further field of 15 µT for 20 s.
    struct Disturbance {
        var start: Double
        var field: Vector3
        /// It turns with the sensor, as a magnet on it does, or stays with the room.
        var isOnBoard: Bool

        func isThere(at now: Instant) -> Bool {
            (0..<20).contains((now - Instant(nanoseconds: 1_000_000_000)).seconds - start)
        }

        static let all = [60.0, 100].flatMap { start in
            [
                Disturbance(start: start, field: Vector3(0, 15, 0), isOnBoard: false),
                Disturbance(start: start, field: Vector3(-9, 9, 8), isOnBoard: false),
                Disturbance(start: start, field: Vector3(8, 9, -9), isOnBoard: true),
            ]
        }
    }

    /// - Parameter isWithin: only what is said while the disturbance is there counts.
    func score(hasGyroscope: Bool, disturbance: Disturbance? = nil, isWithin: Bool = false) -> Score {
        var settings = Settings()
        settings.magnetometer.hardIron = .zero
        settings.magnetometer.calibrationResidual = .microtesla(0.25)
        var pipeline = Pipeline(settings: settings)
        if hasGyroscope { _ = pipeline.take(opened) }
        var score = Score()
        for row in rows {
            var new = Measurements()
            if hasGyroscope { new = pipeline.take(sample(.gyroscope, row.rotation, row.at)) }
            new = pipeline.take(sample(.accelerometer, row.force, row.at))
            let field = row.field + (disturbance?.field(at: row, roll: new.attitude) ?? .zero)
            new = pipeline.take(sample(.magnetometer, field, row.at))
            guard let heading = new.heading, let truth = row.truth, row.isMoving else { continue }
            if isWithin, disturbance?.isThere(at: row.at) != true { continue }
            score.add(
                error: Angle.shortest(from: truth, to: heading.magnetic), stated: heading.magneticAccuracy)
        }
        return score
    }

    private var opened: Reading {
        let description = SensorDescription(
            identity: name, name: name, mountMatrix: nil, mode: "log", rate: 28.6, sampling: .blockMean)
        return Reading(at: Instant(nanoseconds: 0), .opened(.gyroscope, description))
    }

    private func sample(_ source: Source, _ vector: Vector3, _ at: Instant) -> Reading {
        Reading(at: at, .sample(SensorSample(source: source, vector: vector)))
    }
}

extension RecordedLog.Disturbance {
    /// In the sensor's frame. The room's is turned there by the true heading and the roll and pitch that were measured.
    fileprivate func field(at row: RecordedLog.Row, roll attitude: AttitudeMeasurement?) -> Vector3 {
        guard isThere(at: row.at) else { return .zero }
        if isOnBoard { return field }
        guard let attitude, let truth = row.truth else { return .zero }
        let body = VesselAttitude(heading: truth, pitch: attitude.pitch, roll: attitude.roll)
        return Settings.partsUp * (body.intoBodyFrame * field)
    }
}
