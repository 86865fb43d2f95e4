import Glibc
import HeadingPipeline

/// The calibrations in the state folder: one file for each sensor, named after its identity.
struct CalibrationStore: Sendable {
    let folder: String

    init(stateDirectory: String) { folder = stateDirectory + "/calibration" }

    enum Fault: Error, CustomStringConvertible {
        case file(path: String, TextFile.Fault)
        case call(path: String, Errno)
        case content(path: String, ArchiveFault)

        var description: String {
            switch self {
            case .file(let path, let fault): "\(path): \(fault)"
            case .call(let path, let error): "\(path): \(error)"
            case .content(let path, let fault): "\(path): \(fault)"
            }
        }
    }

    /// `nil` where nothing was saved for this sensor.
    func bytes(of sensor: String) throws(Fault) -> [UInt8]? {
        let path = path(of: sensor)
        do throws(TextFile.Fault) {
            return try TextFile.read(path, upTo: CalibrationArchive.largestSize + 1)
        } catch {
            if error.isMissing { return nil }
            throw .file(path: path, error)
        }
    }

    func archive(of sensor: String) throws(Fault) -> CalibrationArchive {
        guard let bytes = try bytes(of: sensor) else { return CalibrationArchive() }
        do throws(ArchiveFault) { return try CalibrationArchive(parsing: bytes) } catch {
            throw .content(path: path(of: sensor), error)
        }
    }

    /// A file that cannot be understood is set aside under another name.
    func add(_ record: CalibrationRecord, behind: Bool = false) throws(Fault) {
        var archive = CalibrationArchive()
        do throws(Fault) { archive = try self.archive(of: record.sensor) } catch {
            guard case .content(let path, _) = error else { throw error }
            rename(path, path + ".broken")
        }
        archive.add(record, behind: behind)
        try save(archive, of: record.sensor)
    }

    /// Goes back to the one before; `nil` where there is none.
    func restore(_ kind: CalibrationRecord.Kind, of sensor: String) throws(Fault) -> CalibrationRecord? {
        var archive = try archive(of: sensor)
        guard archive.restore(kind) else { return nil }
        try save(archive, of: sensor)
        return archive.current(kind)
    }

    /// Of every sensor that has one, in the order of their names.
    func deviationTables() -> [(sensor: String, table: DeviationTable)] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.filter { $0.hasSuffix(".conf") }.sorted().compactMap { name in
            guard let bytes = try? TextFile.read("\(folder)/\(name)", upTo: CalibrationArchive.largestSize),
                let record = try? CalibrationArchive(parsing: bytes).current(.deviation),
                case .deviation(let table) = record.content
            else { return nil }
            return (record.sensor, table)
        }
    }

    private func save(_ archive: CalibrationArchive, of sensor: String) throws(Fault) {
        let path = path(of: sensor)
        do throws(Errno) {
            try Folder.make(folder)
            try AtomicFile.write(Array(archive.text.utf8), to: path)
        } catch {
            throw .call(path: path, error)
        }
    }

    /// Letters, digits and `@._-` stand for themselves, other bytes as `%20`; a name too long for a file is cut,
    /// which the identity inside the file makes up for.
    func path(of sensor: String) -> String {
        let digits = Array("0123456789ABCDEF")
        let name = sensor.utf8.map { byte -> String in
            let character = Character(UnicodeScalar(byte))
            let isPlain =
                character.isASCII && (character.isLetter || character.isNumber || "@._-".contains(character))
            return isPlain ? String(character) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }
        return "\(folder)/\(name.joined().prefix(200)).conf"
    }
}
