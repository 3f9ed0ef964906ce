import PageRequests
import Platform
import Synchronization
import TestSupport
import Testing

@testable import PageServer

/// What a client may take of the server's memory, connections and time.
struct LimitTests {
    private static func limits(_ change: (inout PageLimits) -> Void) -> PageLimits {
        var limits = PageLimits()
        change(&limits)
        return limits
    }

    private static func chunks(_ body: String, _ size: Int) -> String {
        var (text, rest) = ("", Substring(body))
        while !rest.isEmpty {
            let part = rest.prefix(size)
            text += String(part.utf8.count, radix: 16) + ";note=\"x\"\r\n\(part)\r\n"
            rest = rest.dropFirst(size)
        }
        return text + "0\r\nX-Trailer: a\r\n\r\n"
    }

    // MARK: Memory

    @Test func `a body of the limit arrives whole, and a longer one is refused, with a length and in chunks`() throws {
        let server = try TestServer(Self.limits { $0.body = 1000 }) { .text(String(decoding: $0.body, as: UTF8.self)) }
        defer { server.server.stop() }
        let text = String((0..<1000).map { Character(UnicodeScalar(UInt8(97 + $0 % 26))) })
        let chunked: [(String, String?)] = [("Content-Length", nil), ("Transfer-Encoding", "chunked")]
        let client = try server.client()
        for size in [1, 7, 999, 1000] {
            client.send(server.request("POST", "/a", body: text))
            #expect(try client.answer().text == text)
            client.send(server.request("POST", "/a", chunked) + Self.chunks(text, size))
            #expect(try client.answer().text == text, "the next request starts where the chunks end")
        }
        let count = server.count
        for request in [
            server.request("POST", "/a", body: text + "x"),
            server.request("POST", "/a", chunked) + Self.chunks(text + "x", 1001),
            server.request("POST", "/a", chunked) + Self.chunks(text + "x", 100),
            server.request("POST", "/a", [("Content-Length", "1001")]),
        ] {
            let client = try server.client()
            client.send(request)
            let answer = try client.answer()
            #expect(answer.status == 413 && answer["connection"] == "close" && client.isClosed())
        }
        #expect(server.count == count)
    }

    @Test func `who sends far too much still reads why it is refused`() throws {
        let server = try TestServer()
        defer { server.server.stop() }
        let client = try server.client()
        client.send(server.request("POST", "/a", [("Content-Length", "\(8 << 20)")]))
        client.send([UInt8](repeating: 32, count: 8 << 20))
        #expect(try client.answer().status == 413)
    }

    @Test func `a client that asks first is answered that it may send its body`() throws {
        let server = try TestServer { .text(String(decoding: $0.body, as: UTF8.self)) }
        defer { server.server.stop() }
        let client = try server.client()
        client.send(server.request("POST", "/a", [("Content-Length", "2"), ("Expect", "100-continue")]))
        #expect(try client.head() == ["HTTP/1.1 100 Continue"])
        client.send("{}")
        #expect(try client.answer().text == "{}")
    }

    @Test(arguments: ["line", "target", "lines", "sum", "endless line", "endless head", "trailers"])
    func `a head that is too long is refused before it ends`(kind: String) throws {
        let server = try TestServer()
        defer { server.server.stop() }
        let long = String(repeating: "x", count: 20 << 10)
        let many = (0..<120).map { "X-\($0): 1\r\n" }.joined()
        let heads = [
            "line": server.request("GET", "/a", [("X-A", long)]),
            "target": server.request("GET", "/a?x=\(long)"),
            "lines": server.request().replacing("\r\n\r\n", with: "\r\n\(many)\r\n"),
            "sum": server.request("GET", "/a", (0..<5).map { ("X-\($0)", String(long.prefix(8000))) }),
            "endless line": "GET /" + String(repeating: long, count: 20),
            "endless head": "GET / HTTP/1.1\r\n" + String(repeating: many, count: 100),
            "trailers": server.request("POST", "/a", [("Content-Length", nil), ("Transfer-Encoding", "chunked")])
                + "2\r\n{}\r\n0\r\n\(many)\r\n",
        ]
        let client = try server.client()
        client.send(try #require(heads[kind]))
        let answer = try client.answer()
        #expect(answer.status == 431 && answer["connection"] == "close" && client.isClosed())
        #expect(server.count == 0)
    }

    @Test func `no more of an answer is in memory than a part, however slowly it is read`() throws {
        let content = CountedContent(96 << 20, isBlank: true)
        let server = try TestServer(Self.limits { $0.chunk = 64 << 10 }) { _ in
            PageResponse(contentType: "audio/wav", body: .content(content))
        }
        defer { server.server.stop() }
        let client = try RawClient(server.server.port, window: 64 << 10)
        client.send(server.request())
        #expect(try client.head().first == "HTTP/1.1 200 OK")
        // What the system itself holds of a connection is at most 4 MB on either side, by default.
        var (taken, ahead) = (0, 0)
        while taken < content.count {
            if taken % (16 << 20) == 0 { usleep(100_000) }
            ahead = max(ahead, content.read - taken)
            taken += try client.take(min(1 << 20, content.count - taken)).count
        }
        #expect(ahead < 16 << 20 && content.read == content.count && content.most == 64 << 10)
    }

    @Test func `who sends many requests and reads no answer makes the server work on one`() throws {
        let server = try TestServer { _ in .json([UInt8](repeating: 32, count: 8 << 20)) }
        defer { server.server.stop() }
        let client = try RawClient(server.server.port, window: 64 << 10)
        client.send(String(repeating: server.request(), count: 50))
        while server.count == 0 { usleep(1000) }
        usleep(100_000)
        #expect(server.count <= 2, "an answer that the system has taken may be followed by the next")
        for _ in 0..<50 { #expect(try client.answer().body.count == 8 << 20) }
    }

    // MARK: Connections

    @Test func `connections beyond the limit are closed, until one of the others ends`() throws {
        let server = try TestServer(Self.limits { $0.connections = 3 })
        defer { server.server.stop() }
        let clients = try (0..<3).map { _ in try server.client() }
        for client in clients {
            client.send(server.request())
            #expect(try client.answer().status == 200)
        }
        let fourth = try server.client()
        fourth.send(server.request())
        #expect(fourth.isClosed() && server.count == 3)
        clients[0].close()
        Self.waitUntilAnswered(server)
        clients[1].send(server.request())
        #expect(try clients[1].answer().status == 200)
    }

    /// Connects until a request is answered, which it is once another connection has ended.
    private static func waitUntilAnswered(_ server: TestServer) {
        while (try? server.ask(server.request()))?.status != 200 { usleep(1000) }
    }

    @Test func `what a client that has gone asked for is released, and others are answered`() throws {
        final class Weak: Sendable {
            struct Reference { weak var content: CountedContent? }
            let reference = Mutex(Reference())
        }
        let last = Weak()
        let server = try TestServer(Self.limits { $0.connections = 1 }) { request in
            if request.path == ["a"] { return .text("a") }
            let content = CountedContent(64 << 20, isBlank: true)
            last.reference.withLock { $0.content = content }
            return PageResponse(contentType: "audio/wav", body: .content(content))
        }
        defer { server.server.stop() }
        for stage in 0..<3 {
            let client = try RawClient(server.server.port, window: 64 << 10)
            client.send(server.request("GET", "/sound"))
            if stage > 0 { while last.reference.withLock({ $0.content?.read ?? 0 }) == 0 { usleep(1000) } }
            if stage > 1 { _ = try client.take(1 << 20) }
            client.close()
            while (try? server.ask(server.request("GET", "/a")))?.status != 200 { usleep(1000) }
            while last.reference.withLock({ $0.content != nil }) { usleep(1000) }
        }
    }

    // MARK: Time

    @Test(arguments: [
        "", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A",
    ]) func `a connection on which no head arrives is closed`(start: String) throws {
        let server = try TestServer(
            Self.limits {
                $0.requestTime = .milliseconds(50)
                $0.idleTime = start.isEmpty ? .milliseconds(50) : .seconds(3600)
            })
        defer { server.server.stop() }
        let client = try server.client()
        client.send(start)
        #expect(client.isClosed() && server.count == 0)
    }

    @Test func `a connection that was used is closed when no other request follows`() throws {
        let server = try TestServer(Self.limits { $0.idleTime = .milliseconds(50) })
        defer { server.server.stop() }
        let client = try server.client()
        client.send(server.request())
        #expect(try client.answer().status == 200 && client.isClosed())
    }

    @Test(arguments: [false, true]) func `a request that trickles is given up, though each byte comes soon`(
        isBody: Bool
    ) throws {
        let server = try TestServer(Self.limits { $0.requestTime = .milliseconds(200) })
        defer { server.server.stop() }
        let client = try server.client()
        if isBody { client.send(server.request("POST", "/a", [("Content-Length", "100000")])) }
        let bytes = isBody ? [UInt8](repeating: 32, count: 99_999) : Array(server.request().utf8.dropLast())
        for byte in bytes {
            guard client.send([byte]), !client.hasMore() else { break }
            usleep(5000)
        }
        if isBody { #expect(try client.answer().status == 408) }
        #expect(client.isClosed() && server.count == 0)
    }

    @Test func `a client that takes nothing of its answer loses the connection`() throws {
        let server = try TestServer(
            Self.limits {
                $0.connections = 1
                $0.chunkTime = .milliseconds(100)
            }
        ) { request in
            guard request.path == ["sound"] else { return .text("a") }
            return PageResponse(contentType: "audio/wav", body: .content(CountedContent(256 << 20, isBlank: true)))
        }
        defer { server.server.stop() }
        let client = try RawClient(server.server.port, window: 64 << 10)
        client.send(server.request("GET", "/sound"))
        while server.count == 0 { usleep(1000) }
        Self.waitUntilAnswered(server)
    }

    // MARK: Garbage

    @Test func `bytes that are no request are refused or end the connection, and never reach the handler`() throws {
        let server = try TestServer()
        defer { server.server.stop() }
        var random = RandomSource(seed: 37)
        // Without the token, so that no change makes it a good request.
        let valid = [
            server.request("GET", "/api/clips?from=0&count=10", [("Cookie", "veery_\(server.server.port)=0")]),
            server.request("POST", "/api/corrections", [("Cookie", nil)], body: "{\"a\": [1, 2]}"),
            server.request("POST", "/a", [("Cookie", nil), ("Content-Length", nil), ("Transfer-Encoding", "chunked")])
                + "3\r\n{\n}\r\n0\r\n\r\n",
        ].map { Array($0.utf8) }
        let snippets = [
            "\r\n", "\n", "\r", "\u{0}", " ", ":", "%", "HTTP/2.0", "HTTP/1.1", "Content-Length: 5\r\n", "Host: a\r\n",
            "Transfer-Encoding: chunked\r\n", "\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}",
            "Upgrade: h2c\r\n", "Connection: close\r\n", "Expect: 100-continue\r\n", "ffffffffffffffff\r\n",
        ].map { Array($0.utf8) }
        for round in 0..<600 {
            var bytes = valid.randomElement(using: &random) ?? []
            if round % 4 == 0 {
                bytes = (0..<Int.random(in: 1..<400, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            } else {
                for _ in 0..<Int.random(in: 1..<6, using: &random) {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[index] = .random(in: 0...255, using: &random)
                    case 1: bytes.insert(contentsOf: snippets.randomElement(using: &random) ?? [], at: index)
                    case 2: bytes.removeSubrange(index..<min(bytes.count, index + 20))
                    default: bytes.insert(contentsOf: bytes[index...].prefix(50), at: index)
                    }
                    if bytes.isEmpty { bytes = [0] }
                }
            }
            let client = try server.client()
            client.send(bytes)
            client.endSending()
            while client.fill() {}
            let said = String(decoding: client.rest, as: UTF8.self)
            #expect(said.isEmpty || said.firstMatch(of: /^HTTP\/1\.1 (4|100)/) != nil, "\(said) to \(bytes)")
            #expect(!said.contains(server.token))
        }
        #expect(server.count == 0)
        #expect(try server.ask(server.request()).status == 200)
    }
}
