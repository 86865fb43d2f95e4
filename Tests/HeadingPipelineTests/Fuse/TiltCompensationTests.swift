import HeadingPipeline
import Testing

@Suite("Tilt compensation")
struct TiltCompensationTests {
    static func heading(_ field: Vector3, force: Vector3) throws -> Double {
        let down = try #require((-force).normalized)
        return try TiltCompensation(fieldMicrotesla: field, down: down).heading.degrees
    }

    @Test(
        "takes roll and pitch out of the heading",
        arguments: [
            (Vector3(10.151, -1.405, 47.545), Vector3(0, -3.354, -9.215), 60.0),
            (Vector3(2.322, -1.031, 48.571), Vector3(1.703, -3.303, -9.075), 60.0),
            (Vector3(16.295, -17.749, 42.249), Vector3(0.855, 4.129, -8.854), 355.0),
        ])
    func publishedCases(field: Vector3, force: Vector3, expected: Double) throws {
        #expect(abs(try Self.heading(field, force: force) - expected) < 0.01)
    }

    @Test("without it the first of them reads 7.9")
    func withoutCompensation() throws {
        let heading = try Self.heading(Vector3(10.151, -1.405, 47.545), force: Vector3(0, 0, -9.81))
        #expect(abs(heading - 7.9) < 0.05)
    }

    @Test(
        "holds over the whole grid of attitudes", arguments: Array(stride(from: -60.0, through: 60, by: 10)))
    func grid(roll: Double) throws {
        for pitch in stride(from: -60.0, through: 60, by: 10) {
            for yaw in stride(from: 0.0, to: 360, by: 10) {
                let body = Body(heading: yaw, roll: roll, pitch: pitch)
                let heading = try Self.heading(body.field(), force: body.specificForce)
                let error = Angle.shortest(from: .degrees(yaw), to: .degrees(heading)).degrees
                #expect(abs(error) < 1e-6, "roll \(roll), pitch \(pitch), yaw \(yaw)")
            }
        }
    }

    @Test("does not change when field or gravity is scaled", arguments: [1e-3, 0.5, 7, 1e4])
    func scaling(factor: Double) throws {
        let body = Body(heading: 123, roll: 20, pitch: -10)
        let heading = try Self.heading(body.field() * factor, force: body.specificForce * (1 / factor))
        #expect(abs(heading - 123) < 1e-9)
    }

    @Test("gives roll and pitch with the signs of the body frame")
    func attitude() throws {
        let down = try #require((-Body(heading: 45, roll: 20, pitch: 10).specificForce).normalized)
        let vertical = Vertical(down: down, uncertainty: .zero)
        #expect(abs(vertical.roll.degrees - 20) < 1e-9)
        #expect(abs(vertical.pitch.degrees - 10) < 1e-9)
    }

    @Test("says that a bow that points straight up has no heading")
    func gimbal() {
        let body = Body(heading: 30, pitch: 90)
        #expect(throws: Rejection.gimbal) { try Self.heading(body.field(), force: body.specificForce) }
    }
}
