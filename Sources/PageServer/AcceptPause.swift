import NIOCore

/// Waits after the system has refused a connection, as without descriptors: the loop would try again at once, and without end.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let pause = TimeAmount.milliseconds(500)

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let channel = context.channel
        _ = channel.setOption(.autoRead, value: false)
        context.eventLoop.scheduleTask(in: Self.pause) { _ = channel.setOption(.autoRead, value: true) }
    }
}
