import Glibc

/// Memory of this process that is in use, in KiB.
func residentKilobytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 100)
    fgets(&text, 100, file)
    let fields = String(decoding: text.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self).split(
        separator: " ")
    return (Int(fields[1]) ?? 0) * Int(getpagesize()) / 1024
}
