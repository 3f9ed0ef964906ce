import NIOCore

/// The open connections of a server. On its event loop alone.
final class Connections {
    private var open: [ObjectIdentifier: Connection] = [:]
    private let limit: Int
    /// Kept once the server stops.
    private var allClosed: EventLoopPromise<Void>?

    init(limit: Int) { self.limit = limit }

    /// Whether one more may be opened.
    var isFull: Bool { allClosed != nil || open.count >= limit }

    func add(_ connection: Connection) { open[ObjectIdentifier(connection)] = connection }

    func remove(_ connection: Connection) {
        open[ObjectIdentifier(connection)] = nil
        if open.isEmpty { allClosed?.succeed() }
    }

    /// Closes all of them, those with an answer under way after it.
    ///
    /// - Parameter grace: After this time, these are closed, too.
    /// - Returns: Succeeds once all are closed.
    func close(within grace: TimeAmount, on loop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = allClosed ?? loop.makePromise()
        allClosed = promise
        for connection in open.values { connection.finish() }
        if open.isEmpty {
            promise.succeed()
        } else {
            let bound = NIOLoopBound(self, eventLoop: loop)
            let late = loop.scheduleTask(in: grace) {
                for connection in bound.value.open.values { connection.abort() }
            }
            promise.futureResult.whenComplete { _ in late.cancel() }
        }
        return promise.futureResult
    }
}
