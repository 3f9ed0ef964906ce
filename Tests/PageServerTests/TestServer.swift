import PageRequests
import Platform
import Synchronization
import Testing

@testable import PageServer

/// Answers by a closure, and counts.
final class TestHandler: PageHandler {
    let requests = Mutex<[PageRequest]>([])
    private let body: @Sendable (PageRequest) -> PageResponse

    init(_ body: @escaping @Sendable (PageRequest) -> PageResponse) { self.body = body }

    func answer(_ request: PageRequest) -> PageResponse {
        requests.withLock { $0.append(request) }
        return body(request)
    }
}

/// A server, and requests that it accepts unless a test changes them.
struct TestServer {
    let server: PageServer
    let handler: TestHandler
    let token: String

    init(
        _ limits: PageLimits = PageLimits(),
        _ body: @escaping @Sendable (PageRequest) -> PageResponse = { .text($0.path.joined(separator: "|")) }
    ) throws {
        handler = TestHandler(body)
        server = try PageServer(limits: limits, handler: handler)
        token = try #require(server.address.components(separatedBy: "token=").last)
    }

    var host: String { "127.0.0.1:\(server.port)" }
    var cookie: String { "veery_\(server.port)=\(token)" }
    var count: Int { handler.requests.withLock(\.count) }

    func client() throws -> RawClient { try RawClient(server.port) }

    /// A request with all that is asked for.
    ///
    /// - Parameter changes: Lines of the head in place of those of the same name; nil: without it.
    func request(
        _ method: String = "GET", _ target: String = "/api/a", _ changes: [(String, String?)] = [], body: String? = nil
    ) -> String {
        var lines: [(String, String?)] = [("Host", host), ("Cookie", cookie)]
        if method == "POST" {
            lines += [
                ("Origin", "http://\(host)"), ("Content-Type", "application/json"),
                ("Content-Length", "\((body ?? "").utf8.count)"),
            ]
        }
        for (name, _) in changes { lines.removeAll { $0.0 == name } }
        lines += changes
        let text = lines.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }.joined()
        return "\(method) \(target) HTTP/1.1\r\n\(text)\r\n\(body ?? "")"
    }

    /// Sends bytes on a connection of its own; the first answer.
    func ask(_ text: String, isHead: Bool = false) throws -> RawAnswer {
        let client = try client()
        client.send(text)
        return try client.answer(isHead: isHead)
    }
}

/// Content whose every byte follows from its offset, and which counts what was read.
final class CountedContent: PageContent {
    let count: Int
    private let total = Atomic(0)
    private let longest = Atomic(0)
    private let failing: Int
    private let isBlank: Bool

    /// - Parameters:
    ///   - failing: From this offset on it cannot be read.
    ///   - isBlank: All bytes are 0.
    init(_ count: Int, failing: Int = .max, isBlank: Bool = false) {
        (self.count, self.failing, self.isBlank) = (count, failing, isBlank)
    }

    struct Broken: Error {}

    /// Bytes that were read, and those that were read at a time at most.
    var read: Int { total.load(ordering: .sequentiallyConsistent) }
    var most: Int { longest.load(ordering: .sequentiallyConsistent) }

    static func bytes(_ range: Range<Int>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

    func read(_ range: Range<Int>) throws -> [UInt8] {
        if range.upperBound > failing { throw Broken() }
        total.add(range.count, ordering: .sequentiallyConsistent)
        longest.max(range.count, ordering: .sequentiallyConsistent)
        return isBlank ? [UInt8](repeating: 0, count: range.count) : Self.bytes(range)
    }
}
