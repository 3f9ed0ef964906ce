import Testing

@testable import Archives

/// What is said of archives and their members, each once: an `ArchiveError` is these words.
enum ArchiveSentence {
    static let noMember = "the archive has no member of this name"
    static let encrypted = "it is encrypted"
    static let otherChecksum = "it is damaged: its checksum (CRC-32) is another one"
    static let leadsOut = "its name leads out of the folder that the archive would be unpacked in"
    static let nothing = "expected a tar, found nothing (0 bytes)"
    static let hidden = ", and members after that are not found"

    static func notRegular(_ found: String) -> String { "expected a regular file, found \(found)" }
    static func damagedHeader(at byte: Int) -> String { "its header at byte \(byte) is damaged" }
    static func cutOff(at byte: Int) -> String { "it is cut off at byte \(byte)" }
    static func endless(at byte: Int) -> String {
        "it may be cut off: the zeros that end a tar are missing at byte \(byte)"
    }
    static func partly(_ found: Int, of bytes: Int) -> String { ": \(found) of the member's \(bytes) bytes are there" }
}

struct ArchiveSentenceTests {
    @Test func `what an archive is not`() {
        #expect(ArchiveError.notTar.words == "it is not a tar archive")
        #expect(ArchiveError.cutOffPacked.words == "it is cut off: the end of its compressed data is missing")
    }
}
