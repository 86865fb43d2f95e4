import Glibc
import HeadingPipeline

extension AttributeFolder {
    /// Writes one value into an attribute, as sysfs takes it: in a single call.
    func write(_ text: String, to name: String) throws(Errno) {
        let file = try Descriptor.open(path + "/" + name, O_WRONLY | O_TRUNC)
        var text = text
        let result: Result<Int, Errno> = text.withUTF8 { bytes in
            do throws(Errno) {
                return .success(try file.write(UnsafeRawBufferPointer(bytes)))
            } catch {
                return .failure(error)
            }
        }
        _ = try result.get()
    }
}

/// Sets attributes and remembers what they held, so that a device can be left as it was found.
struct AttributeChanges {
    private let folder: AttributeFolder
    private var previous: [(name: String, text: String)] = []

    init(of folder: AttributeFolder) { self.folder = folder }

    mutating func set(_ name: String, to text: String) throws(Errno) {
        let before = folder.text(name)
        if before == text { return }
        try folder.write(text, to: name)
        if let before { previous.append((name, before)) }
    }

    /// What cannot be put back stays as it is: the device may be gone.
    mutating func undo() {
        for change in previous.reversed() {
            do throws(Errno) {
                try folder.write(change.text.isEmpty ? "\n" : change.text, to: change.name)
            } catch {
                Log.debug("\(folder.path)/\(change.name) stays changed: \(error)")
            }
        }
        previous = []
    }
}
