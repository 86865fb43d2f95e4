import Glibc

/// The terminal at standard output.
enum Terminal {
    struct Size: Equatable {
        var rows: Int
        var columns: Int
    }

    /// `nil` where standard output is no terminal, or one that cannot move its cursor.
    static var size: Size? {
        guard isatty(1) == 1, let kind = getenv("TERM"), strcmp(kind, "dumb") != 0 else { return nil }
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            // A serial console does not know; this is what they all have at least.
            return Size(rows: 24, columns: 80)
        }
        return Size(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }

    static func up(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)A" : "" }
    static let clearLine = "\u{1B}[2K"
    static let clearScreen = "\u{1B}[2J\u{1B}[H"
}
