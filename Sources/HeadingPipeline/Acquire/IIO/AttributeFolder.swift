import Glibc

/// A folder of sysfs attributes: small files that hold one value each. It reads and never writes.
package struct AttributeFolder: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    package func folder(_ name: String) -> AttributeFolder {
        AttributeFolder(path == "/" ? "/" + name : path + "/" + name)
    }
    package func has(_ name: String) -> Bool { access(path + "/" + name, F_OK) == 0 }
    package var exists: Bool { access(path, F_OK) == 0 }
    package var name: String { String(path.split(separator: "/").last ?? "") }
    package var parent: AttributeFolder? {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
        return AttributeFolder(String(path[..<slash]))
    }

    /// The names in the folder, sorted; none where it cannot be read.
    package var entries: [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = Glibc.readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The folder with every link on its way followed.
    package var resolved: AttributeFolder {
        guard let real = realpath(path, nil) else { return self }
        defer { free(real) }
        return AttributeFolder(String(cString: real))
    }

    /// What the file holds; `nil` where it is absent or refuses to be read.
    package func bytes(_ name: String, limit: Int = 4096) -> [UInt8]? {
        let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < limit, let start = buffer.baseAddress {
                let got = Glibc.read(descriptor, start + count, limit - count)
                failed = got < 0
                guard got > 0 else { return }
                count += got
            }
        }
        return failed ? nil : bytes
    }

    /// The attribute without the white space around it.
    package func text(_ name: String) -> String? {
        bytes(name).map { bytes in
            let isBlank = { (byte: UInt8) in byte <= 0x20 }
            guard let first = bytes.firstIndex(where: { !isBlank($0) }),
                let last = bytes.lastIndex(where: { !isBlank($0) })
            else { return "" }
            return String(decoding: bytes[first...last], as: UTF8.self)
        }
    }

    /// `nil` unless the attribute is one finite number.
    package func number(_ name: String) -> Double? {
        text(name).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }
}
