import Concurrency
import NIOCore
import NIOHTTP1
import NIOPosix
import PageRequests
import Platform
import Synchronization

/// Serves pages to the browser of the user who started it, on this machine alone. It knows nothing of what is on them.
///
/// It listens on 127.0.0.1 and answers only who has the token in its address, until `stop` is called.
package final class PageServer: Sendable {
    /// The port that it listens on.
    package let port: Int

    private let service: Service
    private let loop: any EventLoop
    private let loopEnded: Delivery<Void>
    private let listener: any Channel
    private let connections: NIOLoopBound<Connections>
    private let isStopped = Mutex(false)

    /// What opens the page in a browser. It has the token in it: it belongs on the user's screen and in no log.
    package var address: String { address(service.rules.token) }

    private func address(_ token: AccessToken) -> String {
        "http://127.0.0.1:\(port)/?\(RequestRules.tokenName)=\(token.text)"
    }

    /// What opens the page in a browser once, for the arguments of a program; an earlier one is no longer valid.
    package func singleUseAddress() -> String { address(service.rules.once.make()) }

    /// Listens, and answers requests from now on.
    ///
    /// - Parameters:
    ///   - port: 0: any that is free.
    ///   - limits: How much it takes.
    ///   - handler: What the answers come from.
    package init(port: Int = 0, limits: PageLimits = PageLimits(), handler: any PageHandler) throws(PageServerError) {
        guard (0...65535).contains(port), let target = try? SocketAddress(ipAddress: "127.0.0.1", port: port) else {
            throw .cannotListen(port: port, code: EINVAL)
        }
        let (started, ended) = (Delivery<any EventLoop>(), Delivery<Void>())
        let work: WorkQueue
        do throws(NoThread) {
            work = try WorkQueue(threads: limits.threads, capacity: limits.requests)
        } catch {
            throw .noThread(error)
        }
        do throws(NoThread) {
            try SystemThread.start {
                MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { started.bring($0) }
                ended.bring(())
            }
        } catch {
            work.finish(within: .seconds(1))
            throw .noThread(error)
        }
        (loop, loopEnded) = (started.wait(), ended)
        service = Service(
            rules: RequestRules(token: AccessToken()), limits: limits, handler: handler, work: work,
            gate: LoopGate(loop))
        do {
            (listener, connections) = try Self.listen(at: target, on: loop, service).wait()
            self.port = listener.localAddress?.port ?? port
        } catch {
            Self.end(service, loop, ended)
            let code = (error as? IOError)?.errnoCode ?? EIO
            throw code == EADDRINUSE ? .portInUse(port) : .cannotListen(port: port, code: code)
        }
    }

    private static func listen(
        at address: SocketAddress, on loop: any EventLoop, _ service: Service
    ) -> EventLoopFuture<(any Channel, NIOLoopBound<Connections>)> {
        loop.flatSubmit {
            let connections = NIOLoopBound(Connections(limit: service.limits.connections), eventLoop: loop)
            return ServerBootstrap(group: loop)
                .serverChannelOption(.backlog, value: 64)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptPause())
                    }
                }
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try add(channel, to: connections.value, service) }
                }
                .bind(to: address).map { ($0, connections) }
        }
    }

    private static func add(_ channel: any Channel, to connections: Connections, _ service: Service) throws {
        // The bootstrap closes the connection after an error.
        if connections.isFull { throw ChannelError.eof }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = service.limits.line
        limits.maxHeaderListSize = service.limits.head
        limits.maxHeaderFieldCount = service.limits.lines
        let (connection, pipeline) = (Connection(service, connections), channel.pipeline.syncOperations)
        try pipeline.addHandlers(
            ByteWatch(connection), HTTPResponseEncoder(),
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)),
            HTTPServerPipelineHandler(), connection)
    }

    /// Closes the port and all connections, those with an answer under way once it is sent, and waits for that, no longer than
    /// `PageLimits.grace`, and as long again for handlers that do not answer. Only the first call does something.
    package func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        let (loop, listener, connections, grace) = (loop, listener, connections, TimeAmount(service.limits.grace))
        try? loop.flatSubmit {
            listener.close(promise: nil)
            return connections.value.close(within: grace, on: loop)
        }.wait()
        Self.end(service, loop, loopEnded)
    }

    /// Ends the threads.
    private static func end(_ service: Service, _ loop: any EventLoop, _ ended: Delivery<Void>) {
        service.work.finish(within: .nanoseconds(Int(clamping: TimeAmount(service.limits.grace).nanoseconds)))
        service.gate.close()
        try? loop.syncShutdownGracefully()
        ended.wait()
    }
}
