import Concurrency
import NIOCore
import NIOHTTP1
import PageRequests

/// What connections share.
struct Service: Sendable {
    let rules: RequestRules
    let limits: PageLimits
    let handler: any PageHandler
    let work: WorkQueue
    let gate: LoopGate
}

/// A connection of a browser: the requests that arrive on it, one after another, each answered before the next is looked at, as
/// `HTTPServerPipelineHandler` sees to. On the event loop alone; answers are made on other threads.
final class Connection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// What comes next.
    private enum State {
        /// The first byte of a request; or the rest of its head, if that has come.
        case idle(hasBytes: Bool)
        /// The rest of the body of a request.
        case receiving(Receiving)
        /// The rest of an answer.
        case answering
        /// The end: the last answer is sent, or the connection lost. What arrives is dropped.
        case ending
    }

    /// A request whose body has not arrived yet.
    private struct Receiving {
        let head: RequestHead
        let admission: RequestRules.Admission
    }

    /// What is waited for, no longer than for some time.
    private enum Deadline {
        case idle
        case request
        case chunk
        case closing
    }

    private let service: Service
    private let connections: Connections
    private var context: ChannelHandlerContext?
    private var state = State.idle(hasBytes: false)
    private var deadline: Scheduled<Void>?
    /// Whether another request may follow on this connection.
    private var isKept = true
    /// That of the request that arrives or is answered; nil if it is not known.
    private var method: PageMethod?
    /// What has arrived of its body.
    private var body: [UInt8] = []

    init(_ service: Service, _ connections: Connections) {
        (self.service, self.connections) = (service, connections)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connections.add(self)
        wait(.idle)
    }

    func handlerRemoved(context: ChannelHandlerContext) { release() }

    func channelInactive(context: ChannelHandlerContext) { release() }

    private func release() {
        state = .ending
        deadline?.cancel()
        (deadline, context) = (nil, nil)
        connections.remove(self)
    }

    // MARK: Requests

    /// Bytes have arrived; the parser, which comes next, shows a head only once it is complete.
    func bytesArrived() {
        guard case .idle(hasBytes: false) = state else { return }
        state = .idle(hasBytes: true)
        wait(.request)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), state) {
        case (.head(let head), .idle): receive(head)
        case (.body(let bytes), .receiving): receive(bytes)
        case (.end, .receiving(let receiving)): answer(receiving)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else {
            // In the end, that bytes follow an error of the parser is one, too.
            if case .ending = state { return }
            return abort()
        }
        // The parser reads no further.
        isKept = false
        switch state {
        case .idle:
            method = nil
            fallthrough
        case .receiving: refuse(error == .headerOverflow ? .headTooLarge : .malformed, isForPerson: false)
        case .answering, .ending: break
        }
    }

    private func receive(_ part: HTTPRequestHead) {
        let head = RequestHead(
            method: part.method.rawValue, target: part.uri,
            lines: part.headers.map { RequestHead.Line(name: $0.name, value: $0.value) })
        // After a request that asks for another protocol, the parser reads no further.
        isKept = isKept && part.isKeepAlive && part.version == .http1_1 && head.values("upgrade").isEmpty
        (method, body) = (PageMethod(rawValue: head.method), [])
        do throws(Refusal) {
            let admission = try service.rules.admit(head)
            let length = head.values("content-length").first.map { Int($0) ?? .max } ?? 0
            if length > service.limits.body { throw .bodyTooLarge }
            state = .receiving(Receiving(head: head, admission: admission))
            wait(.request)
            if head.values("expect").contains(where: { $0.lowercased() == "100-continue" }) {
                context?.writeAndFlush(
                    wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
            }
        } catch {
            refuse(error, isForPerson: head.isForPerson)
        }
    }

    private func receive(_ bytes: ByteBuffer) {
        guard body.count + bytes.readableBytes <= service.limits.body else {
            return refuse(.bodyTooLarge, isForPerson: false)
        }
        body.append(contentsOf: bytes.readableBytesView)
    }

    // MARK: Answers

    private func answer(_ receiving: Receiving) {
        state = .answering
        deadline?.cancel()
        switch receiving.admission {
        case .signedIn(let cookieName, let isFromOtherPage):
            let cookie = "\(cookieName)=\(service.rules.token.text)"
            begin(Answer(cookie: cookie, isFromOtherPage: isFromOtherPage, to: method ?? .get))
        case .admitted(var request):
            request.body = body
            body = []
            guard let loop = context?.eventLoop else { return }
            let (service, bound, ranges) = (
                service, NIOLoopBound(self, eventLoop: loop), receiving.head.values("range")
            )
            let isAccepted = service.work.add { [request] in
                let (answer, bytes) = Self.start(request, ranges, service)
                service.gate.execute { bound.value.begin(answer, bytes) }
            }
            if !isAccepted { refuse(.busy, isForPerson: receiving.head.isForPerson) }
        }
    }

    /// An answer, and the first bytes of its body. Runs on one of the server's threads.
    private static func start(
        _ request: PageRequest, _ ranges: [String], _ service: Service
    ) -> (Answer, ArraySlice<UInt8>?) {
        var answer = Answer(service.handler.answer(request), to: request.method, ranges: ranges)
        do throws(UnreadableContent) {
            let bytes = try answer.next(service.limits.chunk)
            return (answer, bytes)
        } catch {
            let failure = PageResponse.error(.internalError, "The server could not read what was asked for.")
            return (Answer(failure, to: request.method), nil)
        }
    }

    private func refuse(_ refusal: Refusal, isForPerson: Bool) {
        state = .answering
        isKept = false
        begin(Answer(refusal.response(isForPerson: isForPerson), to: method))
    }

    /// Sends the head of an answer, and the first bytes of its body: these, or those in memory.
    private func begin(_ answer: Answer, _ bytes: ArraySlice<UInt8>? = nil) {
        guard let context, case .answering = state else { return }
        var fields = HTTPHeaders(answer.lines.map { ($0.name, $0.value) })
        if !isKept { fields.add(name: "Connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: answer.status.rawValue)
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))), promise: nil)
        var answer = answer
        send(bytes ?? (try? answer.next(service.limits.chunk)) ?? [], answer)
    }

    /// Sends bytes of a body; once the system has taken them, the next ones. So no more than these are in memory, however slowly they
    /// are read.
    private func send(_ bytes: ArraySlice<UInt8>, _ rest: Answer) {
        guard let context, case .answering = state else { return }
        wait(.chunk)
        let (service, bound) = (service, NIOLoopBound(self, eventLoop: context.eventLoop))
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenSuccess { service.gate.execute { bound.value.proceed(rest) } }
        sent.futureResult.whenFailure { _ in bound.value.abort() }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: sent)
    }

    private func proceed(_ answer: Answer) {
        guard let context, case .answering = state else { return }
        if answer.isComplete { return complete() }
        let (service, bound) = (service, NIOLoopBound(self, eventLoop: context.eventLoop))
        @Sendable func next() -> (ArraySlice<UInt8>, Answer)? {
            var answer = answer
            return (try? answer.next(service.limits.chunk)).map { ($0, answer) }
        }
        guard answer.isRead else {
            if let (bytes, rest) = next() { send(bytes, rest) }
            return
        }
        service.work.goOn {
            let read = next()
            service.gate.execute {
                // The length in the head cannot be kept any more.
                guard let (bytes, rest) = read else { return bound.value.abort() }
                bound.value.send(bytes, rest)
            }
        }
    }

    private func complete() {
        guard let context else { return }
        if isKept {
            (state, method) = (.idle(hasBytes: false), nil)
            wait(.idle)
            // The next request may arrive during this call.
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        } else {
            state = .ending
            wait(.closing)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            // To close at once would drop an answer that the client has not read while it still sends.
            context.close(mode: .output, promise: nil)
        }
    }

    // MARK: The end

    /// Ends the connection after the answer that is under way.
    func finish() {
        if case .answering = state { isKept = false } else { abort() }
    }

    /// Ends the connection now.
    func abort() {
        state = .ending
        context?.close(promise: nil)
    }

    /// Waits for something from now on, and for nothing else.
    private func wait(_ next: Deadline) {
        deadline?.cancel()
        guard let loop = context?.eventLoop else { return }
        let time: Duration =
            switch next {
            case .idle: service.limits.idleTime
            case .request: service.limits.requestTime
            case .chunk: service.limits.chunkTime
            case .closing: service.limits.closingTime
            }
        let bound = NIOLoopBound(self, eventLoop: loop)
        deadline = loop.scheduleTask(in: TimeAmount(time)) { bound.value.expire() }
    }

    private func expire() {
        if case .receiving = state { refuse(.slow, isForPerson: false) } else { abort() }
    }
}

/// Tells a connection that bytes have arrived, before they are parsed.
final class ByteWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.bytesArrived()
        context.fireChannelRead(data)
    }
}
