import Foundation
import Platform
import TestSupport
import Testing

@testable import FileIO

struct FileStatusTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a file has one identity by all its names, a copy has another`() throws {
        let path = folder.path("a")
        try AtomicFile.write([1, 2, 3], to: path)
        symlink("a", folder.path("link"))
        link(path, folder.path("hard"))
        try AtomicFile.write([1, 2, 3], to: folder.path("copy"))
        let status = try #require(FileStatus(path: path))
        #expect(status.isRegular && status.byteCount == 3)
        for name in ["link", "hard"] { #expect(FileStatus(path: folder.path(name)) == status) }
        #expect(FileStatus(path: folder.path("copy"))?.identity != status.identity)
        #expect(FileStatus(path: folder.path("link"), followingLink: false)?.kind == .symbolicLink)
        #expect(FileStatus(path: folder.url.path)?.isFolder == true)
        #expect(FileStatus(path: folder.path("none")) == nil)
    }

    @Test func `a stamp tells size and time of change, and that there is no file`() throws {
        let path = folder.path("a")
        #expect(FileStamp(path: path) == .absent)
        try AtomicFile.write([1, 2, 3], to: path)
        let first = FileStamp(path: path)
        #expect(first.byteCount == 3 && first != .absent && first == FileStamp(path: path))
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: 5)], ofItemAtPath: path)
        #expect(FileStamp(path: path) != first && FileStamp(path: path).byteCount == 3)
    }

    @Test func `space on the disk is reserved, and the length of the file does not change`() throws {
        let path = folder.path("a")
        do {
            let file = try StorageFile(path: path, flags: O_RDWR | O_CREAT, operation: "creating")
            guard file.reserve(4096..<8 << 20) else { return }
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_size == 0 && status.st_blocks * 512 >= (8 << 20) - 4096)
            try file.truncate(to: 0)
            #expect(stat(path, &status) == 0 && status.st_blocks * 512 < 1 << 20)
            let isTooMuch = file.reserve(0..<1 << 55)
            #expect(!isTooMuch)
        }
        let readOnly = try StorageFile(path: path, flags: O_RDONLY, operation: "opening")
        let isReserved = readOnly.reserve(0..<4096)
        #expect(!isReserved)
    }

    @Test func `the folder that holds a path`() {
        let folders = ["a": ".", "a/b": "a", "/a": "/", "/a/b": "/a", "a/b/": "a/b", "/": "/"]
        for (path, folder) in folders { #expect(Folder.containing(path) == folder, "\(path)") }
    }

    @Test func `a listing has every name once, and says which are not UTF-8`() throws {
        for name in ["a", ".b", "ü"] { try AtomicFile.write([], to: folder.path(name)) }
        #expect(try Set(DirectoryListing.names(in: folder.url.path)) == ["a", ".b", "ü"])
        let bytes = Array(folder.path("x").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
        let number = open(bytes, O_CREAT | O_WRONLY, 0o666)
        // Not every file system takes such a name.
        guard number >= 0 else { return }
        close(number)
        var odd: [String] = []
        var listing = try DirectoryListing(folder.url.path)
        while let name = try listing.next() { if !name.isValid { odd.append(name.text) } }
        #expect(odd == ["x\u{FFFD}"])
        #expect(throws: SystemError(code: ENOENT)) { try DirectoryListing.names(in: folder.path("none")) }
    }

    @Test func `numbers and texts read back from a buffer, and nothing past its end`() {
        var buffer = ByteBuffer(capacity: 1)
        buffer.append(Int64(-5))
        buffer.append(1.5)
        buffer.append("ü")
        buffer.append([Float(0.5), 2][...])
        var cursor = ByteCursor(buffer.bytes)
        #expect(cursor.integer(Int64.self) == -5 && cursor.double() == 1.5 && cursor.text() == "ü")
        #expect(cursor.floats(2) == [0.5, 2] && cursor.integer(UInt8.self) == nil)
        // A length that claims more than there is.
        buffer.truncate(to: 0)
        buffer.append(UInt32.max)
        cursor = ByteCursor(buffer.bytes)
        #expect(cursor.text() == nil)
    }
}
