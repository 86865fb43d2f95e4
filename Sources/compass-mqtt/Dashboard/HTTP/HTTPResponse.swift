/// What a request is answered with.
struct HTTPResponse {
    enum Body {
        case bytes([UInt8])
        /// Goes on until one side ends it.
        case stream(any HTTPStream)
    }

    var status: UInt32
    var headers: [(name: String, value: String)] = []
    var body: Body

    static func page(_ bytes: [UInt8], type: String, status: UInt32 = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", type)], body: .bytes(bytes))
    }

    static func text(_ status: UInt32, _ text: String) -> HTTPResponse {
        page(Array((text + "\n").utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// For the browser to load another address.
    static func redirect(to path: String) -> HTTPResponse {
        HTTPResponse(status: 303, headers: [("Location", path)], body: .bytes([]))
    }

    func adding(_ name: String, _ value: String) -> HTTPResponse {
        var response = self
        response.headers.append((name, value))
        return response
    }
}

/// The source of an endless response.
protocol HTTPStream: AnyObject {
    /// The connection that it goes to, from when it does.
    var link: HTTPLink? { get set }
    /// Takes the next bytes; 0: there are none for now.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
    /// The connection has ended.
    func ended()
}
