/// Where a file with an axis of channels says so.
enum ChannelAxis {
    /// The attribute of `/features`: the number of channels.
    static let attribute = "channels"
    /// The numbers of the channels, from 0.
    static let dataset = "/channel"
}
