import Glibc
import Testing

/// Reference data that lies beside the project in some checkouts. A test that needs it is enabled only where
/// it is, so that it shows as skipped elsewhere: `@Test(.needsSharedData)`.
enum SharedData {
    static let folder = projectRoot + "/../shared/data"
    static var isPresent: Bool { access(folder, R_OK) == 0 }

    static func text(_ path: String) throws -> String { try readFile(folder + "/" + path) }

    /// The lines of a CSV file after its header, split at commas.
    static func rows(_ path: String) throws -> [[String]] {
        try text(path).split(whereSeparator: \.isNewline).dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }
}

extension Trait where Self == ConditionTrait {
    static var needsSharedData: Self {
        .enabled(if: SharedData.isPresent, "the reference data does not lie beside the project")
    }
}

/// The folder of `Package.swift`.
let projectRoot: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(4)
    return parts.joined(separator: "/")
}()

struct UnreadableFile: Error { let path: String }

func readFile(_ path: String) throws -> String { String(decoding: try readBytes(path), as: UTF8.self) }

func readBytes(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw UnreadableFile(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = fread(&chunk, 1, chunk.count, file)
        if count == 0 { return bytes }
        bytes += chunk[..<count]
    }
}
