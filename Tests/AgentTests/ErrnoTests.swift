import Glibc
import Testing

@testable import compass_mqtt

@Suite("Errno")
struct ErrnoTests {
    @Test("says what the system says")
    func describes() { #expect(Errno(ENOENT).description == "No such file or directory") }
}
