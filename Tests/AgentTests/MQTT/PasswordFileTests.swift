import Glibc
import HeadingPipeline
import Testing

@testable import compass_mqtt

@Suite("PasswordFile")
struct PasswordFileTests {
    private func file(_ content: String, mode: mode_t = 0o600) -> String {
        let path = "/tmp/compass-mqtt-password-\(getpid())-\(UInt.random(in: 0...UInt.max))"
        let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
        _ = content.withCString { write(descriptor, $0, strlen($0)) }
        fchmod(descriptor, mode)
        close(descriptor)
        return path
    }

    private func read(_ path: String) throws(SessionFault) -> String {
        try PasswordFile(path: path).withPassword { String(cString: $0) }
    }

    @Test(
        "takes the password without the newline of the editor",
        arguments: [
            ("secret", "secret"), ("secret\n", "secret"), ("secret\r\n", "secret"), (" a b \n", " a b "),
        ])
    func trailingNewline(content: String, password: String) throws {
        let path = file(content)
        defer { unlink(path) }
        #expect(try read(path) == password)
    }

    @Test(
        "refuses a file that others can read, with the command that mends it",
        arguments: [0o640, 0o604, 0o660])
    func mode(mode: mode_t) {
        let path = file("secret", mode: mode)
        defer { unlink(path) }
        let reason = "mqtt.password_file: others can read \(path): run chmod 600 '\(path)'"
        #expect(throws: SessionFault.settings(reason)) { try read(path) }
    }

    @Test("names a file that is not there")
    func missing() {
        let reason = "mqtt.password_file: cannot read /nowhere: No such file or directory"
        #expect(throws: SessionFault.settings(reason)) { try read("/nowhere") }
    }

    @Test("does not wait for a writer where the path is a pipe, and takes no folder")
    func kinds() {
        let path = file("")
        unlink(path)
        mkfifo(path, 0o600)
        defer { unlink(path) }
        #expect(throws: SessionFault.settings("mqtt.password_file: \(path) is not a regular file")) {
            try read(path)
        }
        #expect(throws: SessionFault.settings("mqtt.password_file: /tmp is a directory")) {
            try read("/tmp")
        }
    }

    @Test("does not cut a long password short")
    func tooLong() throws {
        let longest = file(String(repeating: "x", count: 4094))
        let longer = file(String(repeating: "x", count: 4095))
        defer {
            unlink(longest)
            unlink(longer)
        }
        #expect(try read(longest).utf8.count == 4094)
        #expect(throws: SessionFault.settings("mqtt.password_file: \(longer) is longer than 4094 bytes")) {
            try read(longer)
        }
    }
}
