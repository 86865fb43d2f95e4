import HeadingPipeline
import Testing

@Suite("Lines of gpsd")
struct LineSplitterTests {
    @Test(
        "end at LF or CR LF, in however many pieces they come",
        arguments: [
            ("one\ntwo\n", ["one", "two"]), ("one\r\ntwo\r\n", ["one", "two"]),
            ("one\n\n\r\n\ntwo\n", ["one", "two"]),
            ("no end", []), ("a\rb\n", ["a\rb"]), ("", []),
        ], [1, 2, 3, 1000])
    func splits(input: (text: String, lines: [String]), chunk: Int) {
        var collector = LineCollector()
        collector.feed(input.text, chunk: chunk)
        #expect(collector.lines == input.lines)
        #expect(collector.tooLong == 0)
    }

    @Test("of 10 KiB arrive whole, one byte at a time")
    func longLine() {
        var collector = LineCollector()
        let line = String(repeating: "abcdefghij", count: 1024)
        collector.feed(line + "\r\nnext\n", chunk: 1)
        #expect(collector.lines == [line, "next"])
    }

    @Test(
        "over 64 KiB are dropped, each counted once, and what follows is read",
        arguments: [1, 4096, 1_000_000])
    func dropsEndlessLines(chunk: Int) {
        var collector = LineCollector()
        collector.feed("before\n" + String(repeating: "x", count: 300_000) + "\nafter\n", chunk: chunk)
        collector.feed(
            String(repeating: "y", count: 65_537) + "\n" + String(repeating: "z", count: 65_536) + "\n",
            chunk: chunk)
        #expect(collector.tooLong == 2)
        #expect(collector.lines.map(\.count) == [6, 5, 65_536])
    }

    @Test("half a line is forgotten with its connection")
    func forgets() {
        var collector = LineCollector()
        collector.feed("half", chunk: 4)
        collector.splitter.reset()
        collector.feed("whole\n", chunk: 6)
        #expect(collector.lines == ["whole"])
    }
}

private struct LineCollector {
    var splitter = LineSplitter()
    var lines: [String] = []
    var tooLong = 0

    mutating func feed(_ text: String, chunk: Int) {
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            bytes[start..<min(start + chunk, bytes.count)].withUnsafeBytes {
                splitter.consume($0) {
                    switch $0 {
                    case .line(let line): lines.append(String(decoding: line, as: UTF8.self))
                    case .lineTooLong: tooLong += 1
                    }
                }
            }
        }
    }
}
