/// Where the last record of a clip stands: in which of a spool's files, and at which byte. Eight bytes, since there is
/// one for every clip.
package struct SpoolPosition: Hashable, Sendable {
    private let packed: UInt64
    private static let offsetBits = 48

    /// No clip's position: what an index holds for a clip that is not done yet.
    package static let none = SpoolPosition(packed: .max)

    /// The place of a clip that is not in the spool at all, but stays in an existing feature file.
    package static func kept(_ place: Int) -> SpoolPosition { SpoolPosition(file: keptFile, offset: place) }

    /// The place in an existing feature file; nil: it is in the spool.
    package var keptPlace: Int? { file == Self.keptFile ? offset : nil }

    private static let keptFile = 65_534

    /// The numbers that files may have.
    static let files = 0..<keptFile

    private init(packed: UInt64) { self.packed = packed }

    init(file: Int, offset: Int) { packed = UInt64(file) << Self.offsetBits | UInt64(offset) }

    var file: Int { Int(packed >> Self.offsetBits) }
    var offset: Int { Int(packed & (1 << Self.offsetBits - 1)) }
}
