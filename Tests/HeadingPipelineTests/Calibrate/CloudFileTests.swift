import HeadingPipeline
import Testing

@Suite("Cloud file")
struct CloudFileTests {
    @Test(
        "takes the vector by its names, its place and its unit",
        arguments: [
            ("x,y,z\n1,2,3\n", nil), ("1,2,3", nil), ("1 2 3\n", nil), ("1\t2\t3\r\n", nil), ("1;2;3", nil),
            ("# field\nx (uT), y (uT), z (uT)\n1, 2, 3", FieldUnit.microtesla),
            ("t,ax,ay,az,mx,my,mz\n9,9,9,9,1,2,3", nil), ("time_s,mag_x,mag_y,mag_z\n0.1,1,2,3", nil),
            ("z,y,x\n3,2,1", nil), ("x,y,z,unit\n0.01,0.02,0.03,G", .gauss),
            ("# unit: gauss\n0.01,0.02,0.03", .gauss), ("0.01,0.02,0.03,gauss", .gauss),
            ("x_nT,y_nT,z_nT\n1000,2000,3000", .nanotesla), ("mx [mG],my,mz\n10,20,30", .milligauss),
            ("\"x\",\"y\",\"z\"\n\"1\",\"2\",\"3\"", nil),
        ] as [(String, FieldUnit?)])
    func forms(text: String, unit: FieldUnit?) throws {
        let file = CloudFile(text)
        #expect(file.unit == unit)
        #expect(file.samples.count == 1)
        let vector = try #require(file.samples.first?.fieldMicrotesla)
        #expect((vector - Vector3(1, 2, 3)).length < 1e-9)
    }

    @Test("the operator's unit goes before the file's")
    func askedUnit() {
        let file = CloudFile("x_nT,y_nT,z_nT\n1,2,3", unit: .gauss)
        #expect(file.samples.first?.fieldMicrotesla == Vector3(100, 200, 300))
    }

    @Test("skips and counts what is no vector")
    func skipped() {
        let file = CloudFile("x,y,z\n1,2,3\n1,2\nnan,1,2\n0,0,0\nhello\n\n4,5,6")
        #expect(file.samples.count == 2)
        #expect(file.skippedLines == 4)
    }

    @Test("nothing in it", arguments: ["", "\n\n", "\u{0}\u{1}\u{2}", "x,y,z", "not a table at all"])
    func empty(text: String) { #expect(CloudFile(text).samples.isEmpty) }
}
