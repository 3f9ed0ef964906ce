import Dispatch
import PageRequests
import Platform
import Synchronization
import Testing

@testable import PageServer

struct AnswerTests {
    @Test func `every answer says that it is kept by no cache, framed by no page, and runs no script but the server's`()
        throws
    {
        let server = try TestServer()
        defer { server.server.stop() }
        let requests = [
            server.request(), server.request("HEAD"), server.request("POST", body: "{}"), server.request("PUT"),
            server.request("GET", "/?token=\(server.token)"), server.request("GET", "/.."), "nonsense\r\n\r\n",
        ]
        for request in requests {
            let answer = try server.ask(request, isHead: request.hasPrefix("HEAD"))
            let policy = try #require(answer["content-security-policy"], "\(request)")
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; "))
            #expect(policy.hasSuffix("base-uri 'none'; form-action 'none'; frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(answer["x-content-type-options"] == "nosniff" && answer["referrer-policy"] == "no-referrer")
            #expect(answer["cache-control"] == "no-store" && answer["x-frame-options"] == "DENY")
            #expect(answer["cross-origin-resource-policy"] == "same-origin" && answer["content-type"] != nil)
            #expect(!answer.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
        }
    }

    @Test(arguments: [
        PageHeader("X-A", "1\r\nSet-Cookie: a=b"), PageHeader("X-A", "1\n"), PageHeader("X-A", "\u{0}"),
        PageHeader("X-A", "ä"), PageHeader("X-A\r\nX-B", "1"), PageHeader("X A", "1"), PageHeader("X-A:", "1"),
        PageHeader("", "1"), PageHeader("Set-Cookie", "a=b"), PageHeader("content-length", "1"),
        PageHeader("Location", "http://veery.example"), PageHeader("Cache-Control", "public"),
        PageHeader("content-security-policy", "default-src *"), PageHeader("Transfer-Encoding", "chunked"),
        PageHeader("Connection", "keep-alive"),
    ])
    func `a line of a head that would split the answer, or is the server's own, is not sent`(header: PageHeader) throws
    {
        let server = try TestServer { request in
            var response = PageResponse.text("a")
            if request.path == ["header"] { response.headers = [PageHeader("X-B", "2"), header] }
            if request.path == ["type"] { response.contentType = header.value + "\r\nX-C: 1" }
            return response
        }
        defer { server.server.stop() }
        for path in ["/header", "/type"] {
            let answer = try server.ask(server.request("GET", path))
            #expect(answer.status == 500 && answer["x-a"] == nil && answer["x-c"] == nil && answer["x-b"] == nil)
            #expect(answer["set-cookie"] == nil && answer["location"] == nil && answer["cache-control"] == "no-store")
        }
        #expect(try server.ask(server.request()).status == 200)
    }

    @Test func `all statuses, further lines and JSON arrive as they were given`() throws {
        let server = try TestServer { request in
            guard let status = PageStatus(rawValue: Int(request.path[0]) ?? 0) else { return .json([]) }
            var response = PageResponse.error(status, "\"<script>\"\u{1}\n\u{2028}ä")
            response.headers = [PageHeader("X-Rows", "78"), PageHeader("Retry-After", "2")]
            return response
        }
        defer { server.server.stop() }
        for status in PageStatus.allCases {
            let answer = try server.ask(server.request("GET", "/\(status.rawValue)"))
            #expect(answer.status == status.rawValue && answer["x-rows"] == "78" && answer["retry-after"] == "2")
            #expect(answer["content-type"] == "application/json")
            #expect(answer.text == #"{"error":"\"<script>\"\u0001\n"# + "\u{2028}ä\"}")
        }
    }

    // MARK: Ranges

    private static func contentServer(_ content: CountedContent, chunk: Int) throws -> TestServer {
        var limits = PageLimits()
        limits.chunk = chunk
        return try TestServer(limits) { _ in PageResponse(contentType: "audio/wav", body: .content(content)) }
    }

    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=0-999", 0..<1000), ("bytes=10-", 10..<1000), ("bytes=10-99999", 10..<1000),
        ("bytes=999-999", 999..<1000), ("bytes=-1", 999..<1000), ("bytes=-5000", 0..<1000), ("BYTES=3-4", 3..<5),
        ("bytes=10-99999999999999999999", 10..<1000), ("bytes=00007-8", 7..<9),
    ])
    func `a range of content is sent as a part`(value: String, range: Range<Int>) throws {
        let server = try Self.contentServer(CountedContent(1000), chunk: 64)
        defer { server.server.stop() }
        let answer = try server.ask(server.request("GET", "/a", [("Range", value)]))
        #expect(answer.status == 206 && answer.body == CountedContent.bytes(range))
        #expect(answer["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/1000")
        #expect(answer["accept-ranges"] == "bytes" && answer["content-type"] == "audio/wav")
    }

    @Test(arguments: [
        "bytes=1000-", "bytes=1000-1000", "bytes=99999999999999999999-", "bytes=-0", "bytes=5000-6000",
    ])
    func `a range without content is refused with the length`(value: String) throws {
        let server = try Self.contentServer(CountedContent(1000), chunk: 64)
        defer { server.server.stop() }
        let client = try server.client()
        client.send(server.request("GET", "/a", [("Range", value)]) + server.request())
        let answer = try client.answer()
        #expect(answer.status == 416 && answer["content-range"] == "bytes */1000" && answer.body.isEmpty)
        #expect(try client.answer().body.count == 1000, "the connection goes on")
    }

    @Test(arguments: [
        "bytes=", "bytes=-", "bytes=5-3", "bytes=a-b", "bytes=0-1,3-4", "items=0-1", "0-1", "bytes=1-2-3", "bytes=+1-2",
        "bytes = 0-1", "bytes=0x0-1", "",
    ])
    func `what is not one range of bytes is none`(value: String) throws {
        let server = try Self.contentServer(CountedContent(1000), chunk: 999)
        defer { server.server.stop() }
        let answer = try server.ask(server.request("GET", "/a", [("Range", value)]))
        #expect(answer.status == 200 && answer.body.count == 1000 && answer["content-range"] == nil)
    }

    @Test func `two lines of ranges are none, and content of no bytes has no ranges`() {
        #expect(RequestedRange(["bytes=0-1", "bytes=0-1"], count: 10) == .whole)
        #expect(RequestedRange([], count: 10) == .whole)
        for value in ["bytes=0-", "bytes=0-0", "bytes=-1"] {
            #expect(RequestedRange([value], count: 0) == .unsatisfiable)
        }
    }

    @Test(arguments: [1, 63, 64, 65, 1000, 5000]) func `content is read in parts of the limit, each byte once`(
        chunk: Int
    ) throws {
        let content = CountedContent(1000)
        let server = try Self.contentServer(content, chunk: chunk)
        defer { server.server.stop() }
        let answer = try server.ask(server.request())
        #expect(answer.status == 200 && answer.body == CountedContent.bytes(0..<1000))
        #expect(content.read == 1000 && content.most == min(chunk, 1000))
    }

    @Test func `HEAD has the lines of GET and no body, reads nothing, and ignores ranges`() throws {
        let content = CountedContent(1000)
        let server = try TestServer { request in
            request.path == ["text"] ? .text("hello") : PageResponse(contentType: "audio/wav", body: .content(content))
        }
        defer { server.server.stop() }
        let client = try server.client()
        for (path, length) in [("/text", "5"), ("/sound", "1000")] {
            client.send(server.request("HEAD", path, [("Range", "bytes=0-1")]))
            let answer = try client.answer(isHead: true)
            #expect(answer.status == 200 && answer["content-length"] == length && answer["content-range"] == nil)
            #expect(answer["accept-ranges"] == (path == "/sound" ? "bytes" : nil))
        }
        #expect(client.waiting == 0 && content.read == 0)
        #expect(server.handler.requests.withLock { $0.map(\.method) } == [.head, .head])
    }

    @Test func `content that cannot be read is an error, or ends the connection before its length`() throws {
        for (failing, chunk) in [(500, 1000), (500, 100)] {
            let server = try Self.contentServer(CountedContent(1000, failing: failing), chunk: chunk)
            defer { server.server.stop() }
            let client = try server.client()
            client.send(server.request())
            if chunk == 1000 {
                #expect(try client.answer().status == 500)
            } else {
                #expect(try client.head().first == "HTTP/1.1 200 OK")
                while client.fill() {}
                #expect(client.waiting == 500)
            }
            #expect(try server.ask(server.request("HEAD"), isHead: true).status == 200)
        }
    }

    // MARK: Connections

    @Test func `requests that are sent without waiting are answered in their order`() throws {
        let server = try TestServer { request in
            // The first would be the last if they were answered at the same time.
            usleep(UInt32(max(0, 20 - (request.path.last.flatMap { Int($0) } ?? 0))) * 500)
            return .text(
                "\(request.method.rawValue) \(request.path.joined()) \(String(decoding: request.body, as: UTF8.self))")
        }
        defer { server.server.stop() }
        let client = try server.client()
        client.send(
            (0..<20).map {
                $0 % 3 == 2 ? server.request("POST", "/\($0)", body: "{\($0)}") : server.request("GET", "/\($0)")
            }.joined())
        for number in 0..<20 {
            let expected = number % 3 == 2 ? "POST \(number) {\(number)}" : "GET \(number) "
            #expect(try client.answer().text == expected)
        }
        #expect(client.waiting == 0)
    }

    @Test func `a request may arrive byte by byte`() throws {
        let server = try TestServer { .text(String(decoding: $0.body, as: UTF8.self)) }
        defer { server.server.stop() }
        let client = try server.client()
        for byte in server.request("POST", "/a", body: "{\"a\": 1}").utf8 { client.send([byte]) }
        #expect(try client.answer().text == "{\"a\": 1}")
    }

    @Test(arguments: ["1.0", "close", "upgrade"]) func `connections that cannot go on are closed after the answer`(
        reason: String
    ) throws {
        let server = try TestServer()
        defer { server.server.stop() }
        let client = try server.client()
        switch reason {
        case "1.0": client.send(server.request().replacing("HTTP/1.1", with: "HTTP/1.0"))
        case "close": client.send(server.request("GET", "/a", [("Connection", "close")]) + server.request())
        default: client.send(server.request("GET", "/a", [("Connection", "Upgrade"), ("Upgrade", "websocket")]))
        }
        let answer = try client.answer()
        #expect(answer.status == 200 && answer["connection"] == "close")
        #expect(client.isClosed() && server.count == 1)
    }

    @Test func `as many requests are answered at a time as there are threads`() throws {
        var limits = PageLimits()
        limits.threads = 4
        let inside = Mutex(0)
        let server = try TestServer(limits) { _ in
            inside.withLock { $0 += 1 }
            while inside.withLock({ $0 }) < 4 { usleep(1000) }
            return .text("a")
        }
        defer { server.server.stop() }
        let clients = try (0..<4).map { _ in try server.client() }
        for client in clients { client.send(server.request()) }
        for client in clients { #expect(try client.answer().status == 200) }
    }

    @Test func `many clients at a time each have their own answers`() throws {
        let server = try TestServer { .text($0.path.joined()) }
        defer { server.server.stop() }
        let clients = try (0..<30).map { _ in try server.client() }
        for round in 0..<10 {
            for (number, client) in clients.enumerated() { client.send(server.request("GET", "/\(number)x\(round)")) }
            for (number, client) in clients.enumerated() { #expect(try client.answer().text == "\(number)x\(round)") }
        }
    }

    @Test func `a request beyond those that may wait is refused, to come again`() throws {
        var limits = PageLimits()
        limits.requests = 1
        let gate = DispatchSemaphore(value: 0)
        let server = try TestServer(limits) { _ in
            gate.wait()
            return .text("a")
        }
        defer { server.server.stop() }
        let first = try server.client()
        first.send(server.request())
        while server.count < 1 { usleep(1000) }
        let refused = try server.ask(server.request())
        #expect(refused.status == 503 && refused["retry-after"] == "1" && server.count == 1)
        gate.signal()
        #expect(try first.answer().status == 200)
    }
}
