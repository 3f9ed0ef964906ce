/// A name of this machine that only this machine can mean, with a port, as a browser's `Host` has it.
///
/// Another name may be made to lead here by whoever owns it, and its pages would be of the same origin as this server's.
struct LoopbackHost: Hashable, Sendable {
    /// As given, in lower case.
    let text: String
    /// Behind a tunnel, that of its other end.
    let port: Int

    init?(_ field: String) {
        text = field.lowercased()
        let names = ["127.0.0.1", "localhost", "[::1]"]
        guard let name = names.first(where: text.hasPrefix) else { return nil }
        let rest = text.utf8.dropFirst(name.utf8.count)
        guard let colon = rest.first else {
            port = 80
            return
        }
        let digits = rest.dropFirst()
        guard colon == UInt8(ascii: ":"), (1...5).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        port = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard (1...65535).contains(port) else { return nil }
    }

    /// What a browser sends as the origin of this server's pages.
    var origin: String { "http://\(text)" }

    /// The name of the cookie with the token. Cookies of all ports of a host are in one jar, so it has the port.
    var cookieName: String { "veery_\(port)" }
}
