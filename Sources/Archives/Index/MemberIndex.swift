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
    /// All bytes of all names, one after another.
    private var names: [UInt8] = []
    private var entries: [(name: Range<Int>, member: ArchiveMember)] = []
    /// For each hash the index of an entry, or −1: an open hash table of a power of two.
    private var slots: [Int32] = Array(repeating: -1, count: 16)
    /// The entries of members that replaced another one.
    private var replaced: Set<Int> = []
    /// What keeps members from being listed after the last one; nil: nothing.
    var problem: ArchiveError?

    var count: Int { entries.count }

    /// Adds a member, or replaces that of the same name. The slash at the end of a folder's name does not count.
    mutating func add(_ name: some Sequence<UInt8>, _ member: ArchiveMember) throws(ArchiveError) {
        let start = names.count
        names.append(contentsOf: name)
        while member.kind == .folder, names.count > start, names.last == UInt8(ascii: "/") { names.removeLast() }
        let stripped = start + Self.ignored(names[start...])
        let slot = slot(of: names[stripped...])
        if slots[slot] >= 0 {
            names.removeSubrange(start...)
            if member.kind != .folder { replaced.insert(Int(slots[slot])) }
            entries[Int(slots[slot])].member = member
            return
        }
        guard entries.count < Int(Int32.max) else { throw ArchiveError("it has more than 2 billion members") }
        slots[slot] = Int32(entries.count)
        entries.append((stripped..<names.count, member))
        if entries.count * 2 > slots.count { grow() }
    }

    /// The member of a name; nil: there is none.
    func member(_ name: String) -> ArchiveMember? {
        let bytes = Array(name.utf8)
        let entry = slots[slot(of: bytes[Self.ignored(bytes[...])...])]
        return entry < 0 ? nil : entries[Int(entry)].member
    }

    /// Calls a closure with every member, without a leading `./` in its name, in the order of the archive.
    ///
    /// - Parameter visit: Gets the name, nil where it is not valid UTF-8, and the name as far as it can be shown.
    func forEach(_ visit: (_ name: String?, _ shown: String, ArchiveMember) -> Void) {
        for entry in entries where !entry.name.isEmpty {
            let bytes = names[entry.name]
            visit(String(validating: bytes, as: UTF8.self), String(decoding: bytes, as: UTF8.self), entry.member)
        }
    }

    /// The names, as far as they can be shown, of members that replaced another one, in the order of the archive.
    var replacedNames: [String] {
        replaced.sorted().map { String(decoding: names[entries[$0].name], as: UTF8.self) }
    }

    /// A member's name without a leading `./`, any number of times.
    static func stripped(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> { name.dropFirst(ignored(name)) }

    /// The length of a leading `./`, any number of times.
    private static func ignored(_ name: ArraySlice<UInt8>) -> Int {
        var rest = name
        while rest.starts(with: "./".utf8) {
            rest = rest.dropFirst(2).drop { $0 == UInt8(ascii: "/") }
        }
        return rest.startIndex - name.startIndex
    }

    private func slot(of name: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        name.withUnsafeBytes { hasher.combine(bytes: $0) }
        var slot = hasher.finalize() & (slots.count - 1)
        while slots[slot] >= 0, !names[entries[Int(slots[slot])].name].elementsEqual(name) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for (index, entry) in entries.enumerated() { slots[slot(of: names[entry.name])] = Int32(index) }
    }
}
