import HeadingPipeline
import Testing

@Suite("Who the dashboard lets in")
struct AccessTests {
    private let requestGuard = RequestGuard(names: ["boat.local"])

    private func refusal(
        host: String? = "boat.local:8360", origin: String? = nil, site: String? = nil,
        isNavigation: Bool = false, changes: Bool = false
    ) -> RequestGuard.Refusal? {
        requestGuard.refusal(
            host: host, origin: origin, site: site, isNavigation: isNavigation, changes: changes)
    }

    @Test(
        "answers to its names and to addresses in numbers",
        arguments: [
            "localhost", "LOCALHOST:80", "boat.local", "Boat.Local:8360", "127.0.0.1:8360", "192.168.1.7",
            "[::1]",
            "[fe80::1]:8360",
        ])
    func knowsItsNames(host: String) { #expect(refusal(host: host) == nil) }

    @Test(
        "and to no other, which could have been led here",
        arguments: [
            "evil.example", "boat.local.evil.example", "127.0.0.1.evil.example", "localhost:port", "", ":80",
            "[::1",
            "[localhost]", "1.2.3", "1.2.3.256", "boat.local:99999", "boat.local:80:80",
        ])
    func refusesOthers(host: String) { #expect(refusal(host: host) == .host) }

    @Test("a request without a name is refused")
    func refusesNameless() { #expect(refusal(host: nil) == .host) }

    @Test(
        "another site's requests are refused",
        arguments: [
            "http://evil.example", "null", "http://boat.local", "http://boat.local:8361",
            "ftp://boat.local:8360", "",
            "http://boat.local:8360.evil.example",
        ])
    func refusesOrigins(origin: String) {
        #expect(refusal(origin: origin) == .origin)
        #expect(refusal(origin: origin, changes: true) == .origin)
    }

    @Test("its own page's are not, behind https as well")
    func takesOwn() {
        #expect(refusal(origin: "http://boat.local:8360", changes: true) == nil)
        #expect(refusal(origin: "https://Boat.local:8360", changes: true) == nil)
    }

    @Test("nothing is changed for who does not say where he comes from")
    func needsOrigin() {
        #expect(refusal(changes: true) == .origin)
        #expect(refusal(site: "same-origin", changes: true) == .origin)
    }

    @Test(
        "reading goes by what the browser says of the site",
        arguments: [
            (nil, false, nil), ("none", false, nil), ("same-origin", false, nil),
            ("cross-site", false, .origin),
            ("same-site", false, .origin), ("cross-site", true, nil),
        ] as [(String?, Bool, RequestGuard.Refusal?)])
    func goesBySite(site: String?, isNavigation: Bool, expected: RequestGuard.Refusal?) {
        #expect(refusal(site: site, isNavigation: isNavigation) == expected)
    }

    @Test(
        "a token is matched whole",
        arguments: [
            ("abcd-1234", true), ("abcd-1235", false), ("abcd-123", false), ("abcd-12344", false),
            ("", false),
            ("abcd-1234\0", false),
        ])
    func matches(guess: String, isRight: Bool) throws {
        let token = try #require(AccessToken(Array("abcd-1234".utf8)))
        #expect(token.matches(Array(guess.utf8)) == isRight)
    }

    @Test(
        "is no token",
        arguments: [
            "", "short-7", "with blank", "umlaut-ü-here", "semi;colon", String(repeating: "x", count: 129),
        ])
    func refusesTokens(text: String) { #expect(AccessToken(Array(text.utf8)) == nil) }

    @Test(
        "finds the cookie among others",
        arguments: [
            ("compass_token=abc", "abc"), ("a=b; compass_token=abc; c=d", "abc"), ("xcompass_token=abc", nil),
            ("a=compass_token=abc", nil), ("", nil), ("compass_token=", ""),
        ] as [(String, String?)])
    func findsCookie(header: String, value: String?) {
        #expect(TokenCookie.value(in: header).map(String.init) == value)
    }

    @Test("ten wrong guesses are heard, then one every six seconds, from each address")
    func limitsGuesses() {
        var limiter = GuessLimiter<String>()
        let start = Instant(nanoseconds: 0)
        for _ in 0..<10 {
            #expect(!limiter.isLockedOut("a", at: start))
            limiter.wrongGuess(from: "a", at: start)
        }
        #expect(limiter.isLockedOut("a", at: start))
        #expect(!limiter.isLockedOut("b", at: start))
        #expect(limiter.isLockedOut("a", at: start + .seconds(5.9)))
        #expect(!limiter.isLockedOut("a", at: start + .seconds(6)))
        limiter.wrongGuess(from: "a", at: start + .seconds(6))
        #expect(limiter.isLockedOut("a", at: start + .seconds(6)))
    }

    @Test("remembers the worst of many addresses")
    func isBounded() {
        var limiter = GuessLimiter<String>()
        let start = Instant(nanoseconds: 0)
        for _ in 0..<10 { limiter.wrongGuess(from: "worst", at: start) }
        for number in 0..<1000 { limiter.wrongGuess(from: "\(number)", at: start) }
        #expect(limiter.isLockedOut("worst", at: start))
    }

    @Test(
        "knows addresses from names",
        arguments: [
            ("127.0.0.1", true), ("::", true), ("::1", true), ("fe80::a:1", true), ("1:2:3:4:5:6:7:8", true),
            ("::ffff:1.2.3.4", true), ("1.2.3", false), ("01234.1.1.1", false), ("1:2:3:4:5:6:7:8:9", false),
            ("1::2::3", false),
            (":1", false), ("1:", false), ("12345::", false), ("g::", false), ("localhost", false),
            ("", false), (":::", false),
        ])
    func knowsAddresses(text: String, isAddress: Bool) {
        #expect(NumericAddress.isAddress(text) == isAddress)
    }
}
