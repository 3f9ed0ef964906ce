/// Where the last record of a clip stands: in which of a spool's files, and at which byte. Eight bytes, since there is
/// one for every clip.
package struct SpoolPosition: Hashable, Sendable {
    private let packed: UInt64
    private static let offsetBits = 48

    init(file: Int, offset: Int) { packed = UInt64(file) << Self.offsetBits | UInt64(offset) }

    var file: Int { Int(packed >> Self.offsetBits) }
    var offset: Int { Int(packed & (1 << Self.offsetBits - 1)) }
}
