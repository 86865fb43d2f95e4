import CMicroHTTPD
import Glibc

/// The far end of an open connection.
final class HTTPPeer {
    let address: PeerAddress
    init(_ address: PeerAddress) { self.address = address }
}

/// A request under way.
final class HTTPExchange {
    var body: [UInt8] = []
    var isTooLarge = false
    var stream: (any HTTPStream)?

    private static let largestBody = 4096

    func take(_ bytes: UnsafeRawBufferPointer) {
        isTooLarge = isTooLarge || body.count + bytes.count > Self.largestBody
        if !isTooLarge { body += bytes }
    }
}

extension MicroHTTPDCallbacks {
    /// For as long as the server lives.
    init(to server: HTTPServer) {
        self.init(
            context: Unmanaged.passUnretained(server).toOpaque(), arrived: requestArrived,
            ended: requestEnded,
            admits: connectionAsked, opened: connectionOpened, closed: connectionClosed)
    }
}

// At file scope, so that they are isolated to no actor whatever thread they run on.

private func requestArrived(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ part: UnsafePointer<CChar>?, _ partSize: UnsafeMutablePointer<Int>?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Bool {
    guard let context, let connection, let path, let method, let partSize, let slot else { return false }
    guard let pointer = slot.pointee else {
        slot.pointee = Unmanaged.passRetained(HTTPExchange()).toOpaque()
        return true
    }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
    if partSize.pointee > 0 {
        exchange.take(UnsafeRawBufferPointer(start: part, count: partSize.pointee))
        partSize.pointee = 0
        return true
    }
    return Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        .answer(connection, exchange, method: String(cString: method), path: String(cString: path))
}

private func requestEnded(_ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
    guard let slot, let exchange = slot.pointee else { return }
    slot.pointee = nil
    let stream = Unmanaged<HTTPExchange>.fromOpaque(exchange).takeRetainedValue().stream
    stream?.link = nil
    stream?.ended()
}

private func connectionAsked(_ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?) -> Bool
{
    guard let context, let address else { return false }
    return Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().admits(address)
}

private func connectionOpened(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) {
    guard let context, let connection, let slot else { return }
    let peer = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().opened(connection)
    slot.pointee = peer.map { Unmanaged.passRetained($0).toOpaque() }
}

private func connectionClosed(
    _ context: UnsafeMutableRawPointer?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) {
    guard let context, let slot, let peer = slot.pointee else { return }
    slot.pointee = nil
    Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        .closed(Unmanaged<HTTPPeer>.fromOpaque(peer).takeRetainedValue())
}

func streamRead(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: Int
) -> Int {
    guard let context, let buffer,
        let stream = Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue().stream,
        let link = stream.link
    else { return -1 }
    let count = stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
    // 0 without sleeping would be asked again at once.
    if count == 0 { link.sleep() }
    return count
}
