/// What cJSON lets pass in a command's document and a command must not say: a zero byte, which would cut a text short
/// without a word, and numbers such as 012, which are none in JSON (RFC 8259, section 6).
struct CommandText {
    private var isInText = false
    private var isEscaped = false
    /// Bytes of ``zeroes`` that have come in a row.
    private var zeroCount = 0
    /// Of the word outside of a text, without its sign.
    private var wordLength = 0
    private var beginsWithZero = false

    /// After the backslash.
    private static let zeroes = Array("u0000".utf8)

    /// In words; `nil`: nothing is wrong.
    static func fault(in text: String) -> String? {
        var state = CommandText()
        for byte in text.utf8 {
            if let fault = state.isInText ? state.takeText(byte) : state.takeWord(byte) { return fault }
        }
        return nil
    }

    private mutating func takeText(_ byte: UInt8) -> String? {
        if zeroCount > 0 {
            zeroCount = byte == Self.zeroes[zeroCount] ? zeroCount + 1 : 0
        } else if isEscaped, byte == Self.zeroes[0] {
            zeroCount = 1
        }
        if zeroCount == Self.zeroes.count { return "has a text with a zero byte" }
        if byte == UInt8(ascii: "\""), !isEscaped { isInText = false }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        return nil
    }

    private mutating func takeWord(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "\""):
            isInText = true
            zeroCount = 0
            wordLength = 0
        case 0...0x20, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"):
            wordLength = 0
        case UInt8(ascii: "-") where wordLength == 0: break
        default:
            if wordLength == 0 { beginsWithZero = byte == 0x30 }
            wordLength += 1
            if wordLength == 2, beginsWithZero, (0x30...0x39).contains(byte) {
                return "has a number that begins with 0"
            }
        }
        return nil
    }
}
