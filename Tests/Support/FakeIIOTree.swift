import Glibc

/// A folder under the system's temporary one that looks like `/`, with IIO devices as sysfs shows them: real
/// folders below `sys/devices`, links to them in `sys/bus/iio/devices`, nodes in `dev`.
public final class FakeIIOTree {
    public let root: String

    public init() throws {
        var template = Array("/tmp/compass-mqtt-iio-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(call: "mkdtemp") }
        root = template.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        try makeFolder("sys/bus/iio/devices")
        try makeFolder("dev")
    }

    deinit { Self.removeAll(root) }

    public struct Failure: Error { public let call: String }

    /// Adds `iio:deviceN` with its attributes, at a place below `sys/devices` such as `i2c-1/1-001e`.
    public func add(_ number: Int, at place: String, _ attributes: [String: String]) throws {
        let folder = "sys/devices/\(place)/iio:device\(number)"
        try makeFolder(folder)
        for (name, value) in attributes { try write(value, to: folder + "/" + name) }
        let link = root + "/sys/bus/iio/devices/iio:device\(number)"
        guard symlink("../../../../\(folder)", link) == 0 else { throw Failure(call: "symlink") }
    }

    public func addTrigger(_ number: Int, _ attributes: [String: String]) throws {
        let folder = "sys/bus/iio/devices/trigger\(number)"
        try makeFolder(folder)
        for (name, value) in attributes { try write(value, to: folder + "/" + name) }
    }

    /// Takes the device's folder and link away, as unplugging does.
    public func remove(_ number: Int) {
        let link = root + "/sys/bus/iio/devices/iio:device\(number)"
        if let real = realpath(link, nil) {
            Self.removeAll(String(cString: real))
            free(real)
        }
        unlink(link)
    }

    public func path(_ number: Int) -> String { root + "/sys/bus/iio/devices/iio:device\(number)" }
    public func node(_ number: Int) -> String { root + "/dev/iio:device\(number)" }

    public func set(_ attribute: String, of number: Int, to value: String) throws {
        try write(value, to: "sys/bus/iio/devices/iio:device\(number)/" + attribute)
    }

    public func value(_ attribute: String, of number: Int) -> String? {
        text("sys/bus/iio/devices/iio:device\(number)/" + attribute)
    }

    /// Writes a file below the root, and the folders it needs.
    public func write(_ text: String, to path: String) throws {
        try write(Array((text + "\n").utf8), to: path)
    }

    public func write(_ bytes: [UInt8], to path: String) throws {
        let parts = path.split(separator: "/")
        try makeFolder(parts.dropLast().joined(separator: "/"))
        guard let file = fopen(root + "/" + path, "w") else { throw Failure(call: "fopen \(path)") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    public func makeFolder(_ path: String) throws {
        var here = root
        for part in path.split(separator: "/") {
            here += "/" + part
            guard mkdir(here, 0o755) == 0 || errno == EEXIST else { throw Failure(call: "mkdir \(here)") }
        }
    }

    /// What a file below the root holds, without the line feed.
    public func text(_ path: String) -> String? {
        guard let file = fopen(root + "/" + path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
            .split(whereSeparator: \.isNewline).joined(separator: "\n")
    }

    /// Links are removed, not followed.
    private static func removeAll(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            for name in names(in: path) { removeAll(path + "/" + name) }
        }
        _ = Glibc.remove(path)
    }

    private static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
