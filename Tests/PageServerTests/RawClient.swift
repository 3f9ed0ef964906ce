import Platform
import Testing

/// What came back of one request.
struct RawAnswer {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the one line with a name; nil without one, or with several.
    subscript(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name }.map(\.value)
        return values.count == 1 ? values.first : nil
    }
}

/// A client that sends bytes as they are.
final class RawClient {
    private let socket: Int32
    private var buffer: [UInt8] = []
    private var isOpen = true

    #if canImport(Glibc)
        private static let (stream, noSignal) = (Int32(SOCK_STREAM.rawValue), Int32(MSG_NOSIGNAL))
    #else
        private static let (stream, noSignal) = (SOCK_STREAM, Int32(0))
    #endif

    struct Failure: Error { let code: Int32 }
    /// The connection ended before what was expected.
    struct Ended: Error {}

    /// - Parameter window: Bytes that the system takes for the client in advance; nil: as many as it likes.
    init(_ port: Int, window: Int32? = nil) throws {
        socket = Platform.socket(AF_INET, Self.stream, 0)
        var (address, patience) = (sockaddr_in(), timeval(tv_sec: 30, tv_usec: 0))
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if var window { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code != 0 { throw Failure(code: errno) }
    }

    deinit { close() }

    func close() {
        if isOpen { Platform.close(socket) }
        isOpen = false
    }

    /// - Returns: Whether the system took all of it; not once the server has closed the connection.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Platform.send(socket, $0.baseAddress, $0.count, Self.noSignal)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Reads once; false: the server has closed the connection.
    func fill() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(socket, &bytes, bytes.count, 0)
        if count > 0 { buffer += bytes[..<count] }
        // A connection that is kept and silent is not one that was closed.
        if count < 0, errno == EAGAIN { Issue.record("nothing arrived, and the connection is open") }
        return count > 0
    }

    /// Says that nothing more will be sent.
    func endSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Whether there is something to read, or the connection was closed.
    func hasMore() -> Bool {
        var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return Platform.poll(&poll, 1, 0) > 0
    }

    /// Bytes that were read and not taken.
    var rest: [UInt8] { buffer }
    var waiting: Int { buffer.count }

    func take(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { if !fill() { throw Ended() } }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Whether the server closes the connection without saying more.
    func isClosed() -> Bool { buffer.isEmpty && !fill() }

    /// The lines of the next head.
    func head() throws -> [String] {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = buffer.firstRange(of: end) {
                let bytes = try take(range.upperBound).dropLast(end.count)
                return String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
            }
            if !fill() { throw Ended() }
        }
    }

    /// The next answer.
    func answer(isHead: Bool = false) throws -> RawAnswer {
        let lines = try head()
        let words = try #require(lines.first).split(separator: " ")
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
        return RawAnswer(
            status: try #require(Int(words[1])), headers: headers,
            body: isHead ? [] : try take(try #require(length)))
    }
}

extension String {
    func components(separatedBy separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
