import HeadingPipeline
import Testing

@Suite("Attitude of a vessel")
struct VesselAttitudeTests {
    private let gravity = Vector3(0, 0, 9.80665)

    /// Field and specific force as an independent program computed them: H 20.301 and Z 44.198 µT, g 9.80665.
    @Test(
        "turns field and gravity into the body frame",
        arguments: [
            (60.0, 0.0, 20.0, Vector3(10.151, -1.405, 47.545), Vector3(0, -3.354, -9.215)),
            (60, 10, 20, Vector3(2.322, -1.031, 48.571), Vector3(1.703, -3.303, -9.075)),
            (355, 5, -25, Vector3(16.295, -17.749, 42.249), Vector3(0.855, 4.129, -8.854)),
        ])
    func published(heading: Double, pitch: Double, roll: Double, field: Vector3, force: Vector3) {
        let attitude = VesselAttitude(
            heading: .degrees(heading), pitch: .degrees(pitch), roll: .degrees(roll))
        let turned = attitude.intoBodyFrame
        #expect((turned * Vector3(20.301, 0, 44.198) - field).length < 1.5e-3)
        #expect((turned * -gravity - force).length < 1.5e-3)
    }

    @Test("at rest and level the specific force is (0, 0, -g)", arguments: [0.0, 90, 213])
    func level(heading: Double) {
        let attitude = VesselAttitude(heading: .degrees(heading))
        #expect((attitude.intoBodyFrame * -gravity - Vector3(0, 0, -9.80665)).length < 1e-12)
    }

    @Test("the matrix is a rotation")
    func rotation() {
        let attitude = VesselAttitude(heading: .degrees(200), pitch: .degrees(-30), roll: .degrees(50))
        #expect(attitude.intoBodyFrame.isRotation(tolerance: 1e-12))
    }

    @Test("a turn to starboard while heeled shows in the axes that stand up")
    func rates() {
        let heeled = VesselAttitude(heading: .zero, roll: .degrees(30))
        let rates = heeled.bodyRates(heading: 0.1, pitch: 0, roll: 0)
        #expect((rates - Vector3(0, 0.05, 0.0866025)).length < 1e-6)
    }
}
