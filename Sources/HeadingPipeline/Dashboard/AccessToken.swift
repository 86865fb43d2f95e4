/// What a viewer has to know. Comparing takes the same time whatever is right and wrong about a guess.
package struct AccessToken: Sendable {
    private let bytes: [UInt8]

    /// `nil`: it cannot be one.
    package init?(_ bytes: [UInt8]) {
        guard TokenRule.fault(bytes) == nil else { return nil }
        self.bytes = bytes
    }

    package func matches(_ guess: some Collection<UInt8>) -> Bool {
        var difference = UInt8(guess.count == bytes.count ? 0 : 1)
        var guess = guess.makeIterator()
        for byte in bytes { difference |= byte ^ (guess.next() ?? 0) }
        return difference == 0
    }
}

/// The cookie that carries the token after it has been typed once. No script can read it, and no other site can
/// make a browser send it, but by a link that opens the page: who follows one is to stay logged in.
package enum TokenCookie {
    package static let name = "compass_token"

    /// The value of `Set-Cookie`. `isSecure`: the page comes by https.
    package static func text(_ token: String, isSecure: Bool) -> String {
        "\(name)=\(token); Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }

    /// Takes the cookie away.
    package static let removal = "\(name)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"

    /// From the header `Cookie`.
    package static func value(in header: String) -> Substring? {
        for pair in header.split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            if pair.hasPrefix(name + "=") { return pair.dropFirst(name.utf8.count + 1) }
        }
        return nil
    }
}
