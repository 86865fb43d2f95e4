import Glibc

/// The agent's id, which names its topics and its client at the broker: the operator's, else one made from the
/// machine id, so that a card that is cloned into another machine does not take the first one's place (once
/// its machine id is made anew, as every distribution does at first boot), and a host name is not given away.
enum AgentIdentity {
    private static let machineIdFiles = ["/etc/machine-id", "/var/lib/dbus/machine-id"]

    static func id(configured: String?) -> String {
        if let configured { return configured }
        for path in machineIdFiles {
            if let text = firstLine(of: path), text.utf8.count >= 32 { return id(fromMachineId: text) }
        }
        return "default"
    }

    /// Twelve hexadecimal digits of a hash of the machine id, which itself is not to be shown to anybody
    /// (machine-id(5)): 64-bit FNV-1a over an own salt and the id.
    static func id(fromMachineId text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "compass-mqtt:\(text)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        let padded = String(repeating: "0", count: 16 - digits.count) + digits
        return String(padded.suffix(12))
    }

    private static func firstLine(of path: String) -> String? {
        guard let file = try? Descriptor.open(path, O_RDONLY) else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            guard let count = try? file.read(into: buffer) else { return nil }
            let text = String(decoding: buffer[..<count], as: UTF8.self)
            return text.split(whereSeparator: \.isNewline).first.map(String.init)
        }
    }
}
