import CLinux
import Glibc

/// Starts a detached thread with a name that `top -H` shows.
enum Thread {
    static func start(_ name: StaticString, _ body: @escaping @Sendable () -> Void) throws(Errno) {
        let box = Unmanaged.passRetained(Body(name, body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 512 * 1024)
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, runThreadBody, box.toOpaque())
        pthread_attr_destroy(&attributes)
        if code != 0 {
            box.release()
            throw Errno(code)
        }
    }

    fileprivate final class Body: Sendable {
        let name: StaticString
        let run: @Sendable () -> Void
        init(_ name: StaticString, _ run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }
}

private func runThreadBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let body = Unmanaged<Thread.Body>.fromOpaque(context).takeRetainedValue()
    _ = body.name.withUTF8Buffer { name in
        name.withMemoryRebound(to: CChar.self) { pthread_setname_np(pthread_self(), $0.baseAddress) }
    }
    body.run()
    return nil
}
