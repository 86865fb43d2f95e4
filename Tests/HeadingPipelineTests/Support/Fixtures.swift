import Glibc

/// Folders of our own test inputs.
enum Fixtures {
    static let folder = projectRoot + "/Tests/HeadingPipelineTests/Fixtures"

    /// The names of the folders in one of the fixture folders, sorted.
    static func cases(_ name: String) -> [String] {
        guard let directory = opendir(folder + "/" + name) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
