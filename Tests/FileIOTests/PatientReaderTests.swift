import Foundation
import Platform
import TestSupport
import Testing

@testable import FileIO

struct PatientReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a file is read to its end, or to a maximum`() throws {
        let path = folder.path("a")
        try AtomicFile.write([1, 2, 3], to: path)
        #expect(try PatientReader.contents(of: path, maximum: 10) == [1, 2, 3])
        #expect(try PatientReader.contents(of: path, maximum: 2) == [1, 2])
        #expect(throws: PatientReader.Failure.system(SystemError(code: ENOENT))) {
            try PatientReader.contents(of: folder.path("none"), maximum: 10)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a pipe without a writer is waited for 2 s`() throws {
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        #expect(throws: PatientReader.Failure.noWriter(seconds: 2)) {
            try PatientReader.contents(of: path, maximum: 10)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a file of other parts of the program that is a pipe is not waited for`() throws
    {
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let file = try StorageFile(path: path, flags: O_RDONLY, operation: "opening the file")
        #expect(file.regularSize == nil)
        #expect(try SharedFile.contents(of: path) == [])
    }
}
