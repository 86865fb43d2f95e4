import Glibc
import Testing

@testable import compass_mqtt

@Suite("The agent's id")
struct AgentIdentityTests {
    /// The last twelve digits of FNV-1a (64 bits) over "compass-mqtt:" and the machine id, worked out in Python.
    @Test(
        "is a hash of the machine id, so that a cloned card in another machine has another",
        arguments: [
            ("0123456789abcdef0123456789abcdef", "3eee4b8f5836"),
            ("fedcba9876543210fedcba9876543210", "578db126f416"),
            ("00000000000000000000000000000c00", "abe56628f94b"),
        ])
    func fromMachineId(machine: String, id: String) {
        #expect(AgentIdentity.id(fromMachineId: machine) == id)
    }

    @Test("is the operator's where the settings give one")
    func configured() { #expect(AgentIdentity.id(configured: "mast") == "mast") }

    @Test("gives away neither the machine id nor the host's name")
    func discretion() {
        let id = AgentIdentity.id(configured: nil)
        #expect(id == "default" || id.count == 12 && id.allSatisfy(\.isHexDigit))
        var name = [CChar](repeating: 0, count: 65)
        gethostname(&name, 64)
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #expect(host.isEmpty || !id.contains(host))
    }
}
