/// How much a server takes, and for how long it waits.
package struct PageLimits: Hashable, Sendable {
    /// Connections at a time; further ones are closed.
    package var connections = 64
    /// Bytes of a request's body.
    package var body = 1 << 20
    /// Bytes of one line of a request's head, and of all lines together. Browsers send one host's cookies to servers on all of its
    /// ports, so a head may be long through cookies of others.
    package var (line, head) = (16 << 10, 32 << 10)
    /// Lines of a request's head.
    package var lines = 100
    /// Threads that requests are answered on, and requests that wait or are being answered at a time.
    package var (threads, requests) = (4, 32)
    /// Bytes of an answer that are read, and held in memory, at a time for each connection.
    package var chunk = 256 << 10
    /// Between two requests of a connection.
    package var idleTime = Duration.seconds(60)
    /// For the head of a request, from its first byte on; the same again for its body.
    package var requestTime = Duration.seconds(10)
    /// For a client to take `chunk` bytes of an answer.
    package var chunkTime = Duration.seconds(60)
    /// For a client to read the last answer, and to stop sending, before its connection is closed.
    package var closingTime = Duration.seconds(1)
    /// For answers that are under way when the server is stopped.
    package var grace = Duration.seconds(2)

    package init() {}
}
