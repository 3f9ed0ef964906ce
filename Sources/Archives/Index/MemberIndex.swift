import FeatureModel

/// A member of an archive.
package struct ArchiveMember: Sendable {
    package enum Kind: UInt8, Sendable {
        case regular, folder, symbolicLink, hardLink, device, pipe, sparse, other

        /// In words, with an article.
        package var name: String {
            switch self {
            case .regular: "a regular file"
            case .folder: "a folder"
            case .symbolicLink: "a symbolic link"
            case .hardLink: "a hard link"
            case .device: "a device"
            case .pipe: "a pipe"
            case .sparse: "a sparse file"
            case .other: "a part of a file, or something unknown"
            }
        }
    }

    /// Where and how its bytes are stored.
    enum Storage: Sendable {
        /// As they are, from an offset on.
        case plain(offset: Int)
        case zipped(ZipStorage)
    }

    package let kind: Kind
    /// Length in bytes.
    package let size: Int
    let storage: Storage
}

/// How a zip stores a member.
struct ZipStorage: Sendable {
    /// Offset of its local header.
    let header: Int
    /// Length in bytes as stored.
    let packedSize: Int
    let method: UInt16
    let checksum: UInt32
    let isEncrypted: Bool

    static let stored: UInt16 = 0
    static let deflated: UInt16 = 8
}

/// The members of an archive by name. Of equal names the last one counts, as when an archive is unpacked.
struct MemberIndex: Sendable {
    private var names = NameTable()
    private var members: [ArchiveMember] = []
    /// The entries of members that replaced another one.
    private var replaced: Set<Int> = []
    /// What keeps members from being listed after the last one; nil: nothing.
    var problem: ArchiveError?

    var count: Int { members.count }

    /// Adds a member, or replaces that of the same name. The slash at the end of a folder's name does not count.
    mutating func add(_ name: some Sequence<UInt8>, _ member: ArchiveMember) throws(ArchiveError) {
        guard count < Int(Int32.max) else { throw ArchiveError("it has more than 2 billion members") }
        var bytes = Array(name)
        while member.kind == .folder, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        let index = Self.stripped(bytes[...]).withUnsafeBytes { names.insert($0) }
        guard index < count else { return members.append(member) }
        if member.kind != .folder { replaced.insert(index) }
        members[index] = member
    }

    /// The member of a name; nil: there is none.
    func member(_ name: String) -> ArchiveMember? {
        names.index(of: String(decoding: Self.stripped(Array(name.utf8)[...]), as: UTF8.self)).map { members[$0] }
    }

    /// Calls a closure with every member, without a leading `./` in its name, in the order of the archive.
    ///
    /// - Parameter visit: Takes the name, nil where it is not valid UTF-8, and the name as far as it can be shown.
    func forEach(_ visit: (_ name: String?, _ shown: String, ArchiveMember) -> Void) {
        for (index, member) in members.enumerated() {
            let bytes = names.bytes(index)
            guard !bytes.isEmpty else { continue }
            visit(String(validating: bytes, as: UTF8.self), String(decoding: bytes, as: UTF8.self), member)
        }
    }

    /// The names, as far as they can be shown, of members that replaced another one, in the order of the archive.
    var replacedNames: [String] {
        replaced.sorted().map { names[$0] }
    }

    /// A member's name without a leading `./`, any number of times.
    static func stripped(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = name
        while rest.starts(with: "./".utf8) {
            rest = rest.dropFirst(2).drop { $0 == UInt8(ascii: "/") }
        }
        return rest
    }
}
