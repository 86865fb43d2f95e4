import Glibc

enum Folder {
    /// With those above it that are missing.
    static func make(_ path: String) throws(Errno) {
        if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw Errno()
        }
        try make(String(path[..<slash]))
        try Errno.check { mkdir(path, 0o755) }
    }
}
