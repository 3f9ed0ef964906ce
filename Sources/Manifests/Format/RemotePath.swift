/// Paths that are addresses of the network.
enum RemotePath {
    /// Whether a path starts with a scheme, such as `https://`, or with the name of a host, such as `//www.xeno-canto.org/`.
    static func isOne(_ path: some Collection<UInt8>) -> Bool {
        let scheme = path.prefix { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9": true
            default: false
            }
        }
        let rest = path.dropFirst(scheme.count)
        if scheme.count > 1 { return rest.starts(with: "://".utf8) }
        guard scheme.isEmpty, rest.starts(with: "//".utf8) else { return false }
        let host = rest.dropFirst(2).prefix { $0 != Byte.slash }
        return host.count < rest.count - 2 && host.dropFirst().contains(Byte.dot)
    }
}
