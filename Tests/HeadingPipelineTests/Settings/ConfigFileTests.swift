import HeadingPipeline
import Testing

@Suite("Config file, whatever its bytes")
struct ConfigFileTests {
    private func faults(_ bytes: [UInt8]) -> String {
        do throws(SettingsFaults) {
            _ = try Settings.load(bytes, file: "f")
            return ""
        } catch {
            return error.description
        }
    }

    @Test("a byte 0 makes it a binary file, and nothing else is said of it")
    func binary() {
        #expect(faults(Array("[gps]\nport = x\n\u{0}\n".utf8)) == "f:3: byte 0, allowed: a text file")
    }

    @Test("a line of 4096 bytes is read, one of 4097 is not, a comment may be any length")
    func longLines() {
        let long = "[agent]\nname = " + String(repeating: "a", count: 4089)
        #expect(faults(Array(long.utf8)).hasPrefix("f:2: agent.name: "))
        #expect(faults(Array((long + "a").utf8)) == "f:2: line of 4097 bytes, allowed: up to 4096 bytes")
        #expect(faults(Array(("#" + String(repeating: "a", count: 9000)).utf8)) == "")
    }

    @Test("one over 64 KiB is not read")
    func large() {
        #expect(faults(Array(repeating: UInt8(ascii: "#"), count: 65_536)) == "")
        #expect(
            faults(Array(repeating: UInt8(ascii: "#"), count: 65_537))
                == "f: the file is too large, allowed: up to 65536 bytes")
    }

    @Test("a file full of faults is read within reason")
    func manyFaults() {
        let text = "[mqtt]\n" + (0..<500).map { "prot\($0) = 1\n" }.joined()
        #expect(faults(Array(text.utf8)).split(separator: "\n").count == 500)
    }

    @Test("random bytes and random grammar never trap", arguments: [UInt64.random(in: 0...(.max))])
    func randomBytes(seed: UInt64) throws {
        // A trap would take the message of the expectation with it.
        print("random bytes: seed \(seed)")
        var random = SplitMix64(state: seed)
        let sample = Array(try readFile(projectRoot + "/config/compass-mqtt.conf").utf8)
        let alphabet = Array("[]=#\"\\ \t\r\n;,+-.019xyzabort:/_\u{FC}\u{2028}".utf8)
        for round in 0..<400 {
            let bytes: [UInt8] =
                switch round % 3 {
                case 0: (0..<200).map { _ in UInt8.random(in: 1...255, using: &random) }
                case 1: (0..<300).map { _ in alphabet.randomElement(using: &random) ?? 0 }
                default:
                    sample.map {
                        Int.random(in: 0..<40, using: &random) == 0
                            ? .random(in: 1...255, using: &random) : $0
                    }
                }
            for line in faults(bytes).split(separator: "\n") {
                #expect(line.hasPrefix("f:"), "seed \(seed), round \(round)")
            }
        }
    }
}
