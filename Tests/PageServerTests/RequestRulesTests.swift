import Testing

@testable import PageServer

/// Each rule, broken by a request, and what the server answers to it.
struct RequestRulesTests {
    /// A change of a request that is accepted without it.
    struct Breach: CustomTestStringConvertible, Sendable {
        let status: Int
        var method = "GET"
        var target = "/api/a"
        var changes: [(String, String?)] = []
        var body: String?

        var testDescription: String { "\(status) \(method) \(target) \(changes)" }
    }

    private static let breaches: [Breach] = [
        // Host: one name of this machine.
        Breach(status: 400, changes: [("Host", nil)]),
        Breach(status: 400, changes: [("Host", "localhost"), ("host", "localhost")]),
        Breach(status: 403, changes: [("Host", "veery.example")]),
        Breach(status: 403, changes: [("Host", "localhost.veery.example")]),
        Breach(status: 403, changes: [("Host", "127.0.0.1.veery.example:80")]),
        Breach(status: 403, changes: [("Host", "127.0.0.1@veery.example")]),
        Breach(status: 403, changes: [("Host", "localhost:")]),
        Breach(status: 403, changes: [("Host", "localhost:80x")]),
        Breach(status: 403, changes: [("Host", "localhost:65536")]),
        Breach(status: 403, changes: [("Host", "192.168.0.1")]),
        Breach(status: 403, changes: [("Host", "127.0.0.2")]),
        // Methods.
        Breach(status: 405, method: "PUT", changes: [("Content-Length", "0")]),
        Breach(status: 405, method: "DELETE"),
        Breach(status: 405, method: "OPTIONS", target: "*"),
        Breach(status: 405, method: "TRACE"),
        Breach(status: 405, method: "CONNECT", target: "127.0.0.1:80"),
        Breach(status: 400, method: "NONSENSE"),
        // Addresses.
        Breach(status: 400, target: "http://127.0.0.1/api/a"),
        Breach(status: 400, target: "*"),
        Breach(status: 400, target: "/api/../a"),
        Breach(status: 400, target: "/api/%2e%2E/a"),
        Breach(status: 400, target: "/api/.%2e"),
        Breach(status: 400, target: "/api/."),
        Breach(status: 400, target: "/api//a"),
        Breach(status: 400, target: "//veery.example/a"),
        Breach(status: 400, target: "/api/a/"),
        Breach(status: 400, target: "/api/a%2Fb"),
        Breach(status: 400, target: "/api/a%5cb"),
        Breach(status: 400, target: "/api\\a"),
        Breach(status: 400, target: "/api/a%00"),
        Breach(status: 400, target: "/api/a%0d%0aSet-Cookie:x"),
        Breach(status: 400, target: "/api/a?x=%00"),
        Breach(status: 400, target: "/api/a?x=%zz"),
        Breach(status: 400, target: "/api/a?x=%f"),
        Breach(status: 400, target: "/api/%ff"),
        Breach(status: 400, target: "/api/a#b"),
        Breach(status: 400, target: "/api/ä"),
        // Pages of other servers.
        Breach(status: 403, changes: [("Origin", "http://veery.example")]),
        Breach(status: 403, changes: [("Origin", "null")]),
        Breach(status: 403, changes: [("Sec-Fetch-Site", "cross-site")]),
        Breach(status: 403, changes: [("Sec-Fetch-Site", "same-site")]),
        Breach(status: 403, target: "/", changes: [("Sec-Fetch-Site", "cross-site")]),
        Breach(status: 403, method: "POST", changes: [("Origin", nil)], body: "{}"),
        Breach(status: 403, method: "POST", changes: [("Origin", "http://localhost")], body: "{}"),
        Breach(status: 403, method: "POST", changes: [("Origin", "null")], body: "{}"),
        // The token.
        Breach(status: 403, changes: [("Cookie", nil)]),
        Breach(status: 403, changes: [("Cookie", "veery=1; a=b")]),
        Breach(status: 403, changes: [("Cookie", "veery_PORT=")]),
        Breach(status: 403, changes: [("Cookie", "veery_PORT=WRONG")]),
        Breach(status: 403, changes: [("Cookie", "veery_PORT=TOKENa")]),
        Breach(status: 403, changes: [("Cookie", "veery_1=TOKEN")]),
        Breach(status: 403, changes: [("Cookie", "a=veery_PORT=TOKEN")]),
        Breach(status: 403, target: "/?token=", changes: []),
        Breach(status: 403, target: "/?token=WRONG", changes: []),
        Breach(status: 403, target: "/?token=TOKEN&token=WRONG", changes: []),
        Breach(status: 403, target: "/api/a?token=TOKEN", changes: [("Cookie", nil)]),
        Breach(status: 403, method: "POST", target: "/?token=TOKEN", changes: [("Cookie", nil)], body: "{}"),
        // Bodies.
        Breach(status: 415, method: "POST", changes: [("Content-Type", nil)], body: "{}"),
        Breach(status: 415, method: "POST", changes: [("Content-Type", "text/plain")], body: "{}"),
        Breach(status: 415, method: "POST", changes: [("Content-Type", "text/plain;application/json")], body: "{}"),
        Breach(
            status: 415, method: "POST",
            changes: [("Content-Type", "application/json"), ("content-type", "text/plain")], body: "{}"),
        Breach(status: 400, changes: [("Content-Length", "2")], body: "{}"),
        Breach(status: 400, changes: [("Transfer-Encoding", "chunked")], body: "0\r\n\r\n"),
        Breach(status: 400, method: "POST", changes: [("Content-Length", "2"), ("content-length", "3")], body: "{}x"),
        Breach(status: 400, method: "POST", changes: [("Content-Length", "2, 2")], body: "{}"),
        Breach(status: 400, method: "POST", changes: [("Content-Length", "-1")], body: "{}"),
        Breach(status: 400, method: "POST", changes: [("Content-Length", "99999999999999999999")], body: "{}"),
        Breach(
            status: 400, method: "POST", changes: [("Content-Length", "2"), ("Transfer-Encoding", "chunked")],
            body: "2\r\n{}\r\n0\r\n\r\n"),
        Breach(
            status: 400, method: "POST", changes: [("Content-Length", nil), ("Transfer-Encoding", "gzip")], body: "{}"),
        Breach(
            status: 400, method: "POST", changes: [("Content-Length", nil), ("Transfer-Encoding", "chunked")],
            body: "x\r\n{}\r\n0\r\n\r\n"),
        // What follows a refusal is not read, though it has errors of its own.
        Breach(
            status: 403, method: "POST",
            changes: [("Host", "a"), ("Content-Length", nil), ("Transfer-Encoding", "chunked")], body: "x\r\n{}\r\n"),
        Breach(status: 403, changes: [("Cookie", nil)], body: "nonsense \u{0} \r\n\r\nGET / HTTP/1.1\r\n\r\n"),
    ]

    @Test(arguments: breaches) func `a request that breaks a rule is refused, and its handler does not see it`(
        breach: Breach
    ) throws {
        let server = try TestServer()
        defer { server.server.stop() }
        func whole(_ text: String) -> String {
            text.replacing("PORT", with: "\(server.server.port)").replacing("TOKEN", with: server.token)
                .replacing("WRONG", with: String(server.token.reversed()))
        }
        let request = server.request(breach.method, breach.target, breach.changes, body: breach.body)
        let client = try server.client()
        client.send(whole(request))
        let answer = try client.answer()
        #expect(answer.status == breach.status, "\(answer.text)")
        #expect(server.count == 0)
        #expect(!"\(answer.headers) \(answer.text)".contains(server.token))
        #expect(answer["connection"] == "close")
        #expect(client.isClosed())
        if breach.status == 405 { #expect(answer["allow"] == "GET, HEAD, POST") }
        // The same server still answers others.
        #expect(try server.ask(server.request()).status == 200)
    }

    @Test func `the requests of the table are accepted without their changes`() throws {
        let server = try TestServer()
        defer { server.server.stop() }
        #expect(try server.ask(server.request()).status == 200)
        #expect(try server.ask(server.request("POST", body: "{}")).status == 200)
        for host in ["localhost", "LOCALHOST:1234", "[::1]:8080", "127.0.0.1:1"] {
            let port = host.components(separatedBy: ":").last.flatMap { Int($0) } ?? 80
            let lines: [(String, String?)] = [("Host", host), ("Cookie", "a=b; veery_\(port)=\(server.token) ;c=d")]
            #expect(try server.ask(server.request("GET", "/", lines)).status == 200, "\(host)")
            let origin = [("Origin", Optional("http://\(host.lowercased())"))]
            #expect(try server.ask(server.request("POST", "/", lines + origin, body: "{}")).status == 200, "\(host)")
        }
        for site in ["same-origin", "none"] {
            #expect(try server.ask(server.request("GET", "/", [("Sec-Fetch-Site", site)])).status == 200)
        }
        let type = ("Content-Type", Optional("Application/JSON ; charset=utf-8"))
        #expect(try server.ask(server.request("POST", "/a", [type], body: "{}")).status == 200)
    }

    @Test func `the token in the address becomes a cookie of the port that the browser sees, and leaves the address`()
        throws
    {
        let server = try TestServer()
        defer { server.server.stop() }
        let target = "/?token=\(server.token)&x=1"
        for (host, port) in [(server.host, server.server.port), ("localhost:9999", 9999), ("localhost", 80)] {
            let answer = try server.ask(server.request("GET", target, [("Host", host), ("Cookie", nil)]))
            #expect(answer.status == 303 && answer["location"] == "/" && answer.body.isEmpty)
            #expect(
                answer["set-cookie"] == "veery_\(port)=\(server.token); HttpOnly; SameSite=Strict; Path=/", "\(host)")
        }
        // What a link of another page leads to: a redirect would not have the cookie with it.
        let link = try server.ask(server.request("GET", target, [("Cookie", nil), ("Sec-Fetch-Site", "cross-site")]))
        #expect(
            link.status == 200 && link.text.contains("src=\"/opened.js\"") && link["set-cookie"]?.contains(server.token) == true)
        #expect(!link.text.contains(server.token) && server.count == 0)
    }

    @Test func `a person reads why access is refused as text, and a script as JSON`() throws {
        let server = try TestServer()
        defer { server.server.stop() }
        for (target, accept) in [("/", "*/*"), ("/api/a", "text/html,*/*;q=0.8")] {
            let answer = try server.ask(server.request("GET", target, [("Cookie", nil), ("Accept", accept)]))
            #expect(answer.status == 403 && answer["content-type"] == "text/plain; charset=utf-8")
            #expect(answer.text.contains("the address that the command printed"))
        }
        let answer = try server.ask(server.request("GET", "/api/a", [("Cookie", nil)]))
        #expect(answer["content-type"] == "application/json" && answer.text.hasPrefix("{\"error\":\"Only the address"))
    }

    @Test func `the handler sees components and query items, decoded once`() throws {
        let server = try TestServer()
        defer { server.server.stop() }
        let target = "/api/clips/%C3%A4%20b/a%2525/%252e?from=0&name=a+b%26c%3D%2B&empty=&bare&&%C3%A4=%22"
        #expect(try server.ask(server.request("GET", target)).status == 200)
        let first = server.handler.requests.withLock { $0.first }
        let request = try #require(first)
        #expect(request.path == ["api", "clips", "ä b", "a%25", "%2e"] && request.method == .get)
        let items = request.query.map { [$0.name, $0.value] }
        #expect(items == [["from", "0"], ["name", "a b&c=+"], ["empty", ""], ["bare", ""], ["ä", "\""]])
        #expect(request.value("from") == "0" && request.value("to") == nil)
    }

    @Test func `a token has 256 bits, is new each time, and is in no description`() {
        let tokens = (0..<20).map { _ in AccessToken() }
        #expect(Set(tokens.map(\.text)).count == 20)
        for token in tokens {
            #expect(token.text.utf8.count == 64 && token.text.allSatisfy(\.isHexDigit))
            #expect(token.matches(token.text) && !token.matches(token.text.dropLast()) && !token.matches(""))
            #expect(!token.matches(token.text + "0") && !"\(token)".contains(token.text))
        }
    }
}
