/// The layout of tensors in the file.
public struct StoreConfiguration: Hashable, Sendable {
    /// How clips of different lengths share a tensor.
    public enum Layout: String, CaseIterable, Codable, Sendable {
        /// All clips' frames one after another, as rows.
        case packed
        /// A block of the same number of frames for each clip, by `audio.duration` or `rows.count`.
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
    public private(set) var layout = Layout.packed
    /// The stored number.
    public private(set) var element = Element.float32
    /// The compression.
    public private(set) var compression = Compression.none

    /// The section with its defaults.
    public static let standard = StoreConfiguration()

    private init() {}

    /// Every combination is valid here; `FeatureConfiguration` requires a duration or a number of rows for `fixed`.
    public init(
        layout: Layout = standard.layout, element: Element = standard.element,
        compression: Compression = standard.compression
    ) {
        (self.layout, self.element, self.compression) = (layout, element, compression)
    }
}

extension StoreConfiguration: ConfigurationSection {
    static let table = SectionTable(
        "store", "How the tensor lies in the file.", standard: standard,
        [
            ConfigurationKey(
                "layout", { $1(&$0.layout) }, .choice,
                "How clips share the tensor: all frames one after another, as rows (packed), or a block of the same number "
                    + "of frames for each (fixed), which audio.duration or rows.count has to be set for."),
            ConfigurationKey(
                "type", { $1(&$0.element) }, .choice,
                "The stored number, of IEEE 754. With float16, a clip with a value that rounds to infinity (from "
                    + "+-65520 on) is a failure."),
            ConfigurationKey(
                "compression", { $1(&$0.compression) }, .choice,
                "none: the tensor can be mapped into memory; deflate: bytes are shuffled, then compressed."),
        ])
}
