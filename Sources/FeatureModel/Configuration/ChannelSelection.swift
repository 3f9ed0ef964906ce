/// Which channels of a recording become the one signal that is analysed.
public enum ChannelSelection: Hashable, Sendable {
    /// The mean of all channels.
    case mix
    /// The first channel.
    case first
    /// One channel, counted from 0.
    case number(Int)
}

extension ChannelSelection: Codable {
    /// Reads `mix`, `first` or a channel number from 0 to 1023.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self), (0...1023).contains(number) {
            self = .number(number)
            return
        }
        switch try? container.decode(String.self) {
        case "mix": self = .mix
        case "first": self = .first
        default: throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a channel selection")
        }
    }

    /// Writes `mix`, `first` or the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .mix: try container.encode("mix")
        case .first: try container.encode("first")
        case .number(let number): try container.encode(number)
        }
    }
}
