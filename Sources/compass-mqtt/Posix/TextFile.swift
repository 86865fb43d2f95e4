import Glibc

/// Reading a file that people write: whole, and never something that has no end.
enum TextFile {
    struct Fault: Error, Equatable, CustomStringConvertible {
        let description: String
        /// There is nothing under this path.
        let isMissing: Bool
    }

    /// The first `limit` bytes at most. `modeFault`: why a file of such a mode is not read.
    static func read(
        _ path: String, upTo limit: Int, modeFault: (mode_t) -> String? = kindFault
    ) throws(Fault) -> [UInt8] {
        var mode: mode_t = 0
        var bytes: [UInt8] = []
        do throws(Errno) {
            // Without O_NONBLOCK it would wait for a writer where the path is a pipe.
            let file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            mode = try file.status().st_mode
            if mode & S_IFMT == S_IFREG { bytes = try file.readAll(upTo: limit) }
        } catch {
            throw Fault(description: error.description, isMissing: error == Errno(ENOENT))
        }
        if let fault = modeFault(mode) { throw Fault(description: fault, isMissing: false) }
        return bytes
    }

    /// Whether anybody can get at a file of this mode, as at no key. A group may: Debian's ssl-cert is one.
    static func isOpenToAll(_ mode: mode_t) -> Bool { mode & S_IRWXO != 0 }

    /// Why something of this kind is no file to read; `nil`: it is one.
    static func kindFault(_ mode: mode_t) -> String? {
        switch mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "is a directory"
        default: "is not a regular file"
        }
    }
}

extension Descriptor {
    borrowing func status() throws(Errno) -> stat {
        var status = stat()
        try Errno.check { fstat(number, &status) }
        return status
    }

    fileprivate borrowing func readAll(upTo limit: Int) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)
        defer { chunk.deallocate() }
        while bytes.count < limit {
            let count = try read(into: chunk)
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return Array(bytes.prefix(limit))
    }
}
