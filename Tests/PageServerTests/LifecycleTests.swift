import Dispatch
import PageRequests
import Platform
import Synchronization
import Testing

@testable import PageServer

struct LifecycleTests {
    /// Stops a server on another thread; returns once its port is closed.
    private static func beginStop(_ server: TestServer) -> DispatchSemaphore {
        let stopped = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            server.server.stop()
            stopped.signal()
        }
        while (try? server.client()) != nil { usleep(1000) }
        return stopped
    }

    @Test func `it listens on the port that its address names, on 127.0.0.1 alone`() throws {
        let server = try TestServer()
        #expect(server.server.address == "http://127.0.0.1:\(server.server.port)/?token=\(server.token)")
        #expect((1...65535).contains(server.server.port) && server.token.utf8.count == 64)
        #if os(Linux)
            let port = String(server.server.port, radix: 16, uppercase: true)
            let rows = try ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { try Self.rows($0) }
            // Columns: number, local address, remote address, state; 0A: listening.
            let listening = rows.filter { $0.count > 3 && $0[1].hasSuffix(":" + port) && $0[3] == "0A" }
            // The kernel may list one twice where others open and close meanwhile.
            #expect(Set(listening.map { $0[1] }) == ["0100007F:" + port])
        #endif
        server.server.stop()
        #expect(throws: RawClient.Failure.self) { try server.client() }
        server.server.stop()
    }

    @Test func `a port that is in use, or is none, is an error that says so`() throws {
        let server = try TestServer()
        let port = server.server.port
        #expect(throws: PageServerError.portInUse(port)) { try PageServer(port: port, handler: server.handler) }
        #expect("\(PageServerError.portInUse(port))" == "port \(port) is in use")
        for port in [-1, 65536] {
            #expect(throws: PageServerError.cannotListen(port: port, code: EINVAL)) {
                try PageServer(port: port, handler: server.handler)
            }
        }
        server.server.stop()
        let again = try PageServer(port: port, handler: server.handler)
        #expect(again.port == port)
        again.stop()
    }

    @Test func `an answer under way is sent before the server stops, and nothing after it`() throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try TestServer { _ in
            gate.wait()
            return .text("the last")
        }
        let (busy, idle, half) = (try server.client(), try server.client(), try server.client())
        half.send("GET / HTTP/1.1\r\n")
        busy.send(server.request() + server.request())
        while server.count == 0 { usleep(1000) }
        let stopped = Self.beginStop(server)
        #expect(idle.isClosed() && half.isClosed())
        gate.signal()
        let answer = try busy.answer()
        #expect(answer.text == "the last" && answer["connection"] == "close" && busy.isClosed())
        stopped.wait()
        #expect(server.count == 1)
    }

    @Test func `a handler that does not end, and a client that does not read, do not keep the server from stopping`()
        throws
    {
        let gate = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        var limits = PageLimits()
        limits.grace = .milliseconds(50)
        let server = try TestServer(limits) { request in
            if request.path == ["sound"] {
                return PageResponse(contentType: "audio/wav", body: .content(CountedContent(1 << 30, isBlank: true)))
            }
            gate.wait()
            defer { ended.signal() }
            return .text("late")
        }
        let (blocked, slow) = (try server.client(), try RawClient(server.server.port, window: 64 << 10))
        blocked.send(server.request())
        slow.send(server.request("GET", "/sound"))
        while server.count < 2 { usleep(1000) }
        server.server.stop()
        #expect(blocked.isClosed())
        // Its answer comes when there is no server any more.
        gate.signal()
        ended.wait()
    }

    @Test func `servers start, answer and stop many times, some at once`() throws {
        for _ in 0..<20 {
            let servers = try (0..<3).map { number in try TestServer { _ in .text("\(number)") } }
            for (number, server) in servers.enumerated() {
                #expect(try server.ask(server.request()).text == "\(number)")
                server.server.stop()
            }
        }
    }

    @Test func `clients that come and go while it stops harm nothing`() throws {
        for round in 0..<10 {
            let server = try TestServer { _ in .json([UInt8](repeating: 32, count: 1 << 20)) }
            let isOver = Atomic(false)
            let group = DispatchGroup()
            for _ in 0..<4 {
                DispatchQueue.global().async(group: group) {
                    while !isOver.load(ordering: .relaxed) {
                        guard let client = try? server.client() else { return }
                        client.send(server.request() + server.request())
                        if Int.random(in: 0..<2) == 0 { _ = client.fill() }
                    }
                }
            }
            while server.count < 5 + round { usleep(1000) }
            server.server.stop()
            isOver.store(true, ordering: .relaxed)
            group.wait()
        }
    }

    /// The rows of a table of the system, as words.
    private static func rows(_ path: String) throws -> [[String]] {
        let descriptor = open(path, O_RDONLY)
        try #require(descriptor >= 0, "\(path)")
        defer { close(descriptor) }
        var (text, part): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
        while case let count = read(descriptor, &part, part.count), count > 0 { text += part[..<count] }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map { row in
            row.split(separator: " ").map(String.init)
        }
    }
}
