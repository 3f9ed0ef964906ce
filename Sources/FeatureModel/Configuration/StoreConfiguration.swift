/// How tensors lie in the file.
public struct StoreConfiguration: Hashable, Sendable {
    /// How clips of different lengths share a tensor.
    public enum Layout: String, CaseIterable, Codable, Sendable {
        /// All clips' frames one after another, as rows.
        case packed
        /// A block of the same number of frames for each clip, as many as `audio.duration` becomes.
        case fixed
    }

    /// The stored number.
    public enum Element: String, CaseIterable, Codable, Sendable {
        /// IEEE single precision, little-endian.
        case float32
        /// IEEE half precision, little-endian: 11 significant bits, values up to 65,504.
        case float16

        /// Bytes of a number.
        public var size: Int { self == .float32 ? 4 : 2 }
    }

    /// The compression.
    public enum Compression: String, CaseIterable, Codable, Sendable {
        /// None: the tensor can be mapped into memory.
        case none
        /// Shuffled bytes, deflated: filters that every HDF5 library has.
        case deflate
    }

    /// How clips share a tensor.
    public let layout: Layout
    /// The stored number.
    public let element: Element
    /// The compression.
    public let compression: Compression

    /// Keeps the values; every combination is valid. `FeatureConfiguration` asks `fixed` for a duration.
    public init(layout: Layout = .packed, element: Element = .float32, compression: Compression = .none) {
        self.layout = layout
        self.element = element
        self.compression = compression
    }
}

extension StoreConfiguration: Codable {
    static let keys = ["layout", "type", "compression"]

    /// Reads the `store` section; a missing key has its default.
    public init(from decoder: any Decoder) throws {
        let section = try SectionReader(decoder, keys: Self.keys)
        self.init(
            layout: try section.choice("layout", default: .packed),
            element: try section.choice("type", default: .float32),
            compression: try section.choice("compression", default: .none))
    }

    /// Writes every key of the section.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(layout, forKey: AnyCodingKey("layout"))
        try container.encode(element, forKey: AnyCodingKey("type"))
        try container.encode(compression, forKey: AnyCodingKey("compression"))
    }
}
