import Glibc

/// A file descriptor that closes itself.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32

    /// Takes over an open descriptor.
    init(owning number: Int32) { self.number = number }

    static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(Errno) -> Descriptor {
        Descriptor(owning: try Errno.check { Glibc.open(path, flags | O_CLOEXEC, mode) })
    }

    deinit { close(number) }

    /// Bytes read, 0 at the end of the file.
    borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try Errno.check { Glibc.read(number, buffer.baseAddress, buffer.count) }
    }

    /// Reads from the start of the file, as a sysfs attribute that is read again needs.
    borrowing func readFromStart(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try Errno.check { pread(number, buffer.baseAddress, buffer.count, 0) }
    }

    borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
        try Errno.check { Glibc.write(number, bytes.baseAddress, bytes.count) }
    }
}
