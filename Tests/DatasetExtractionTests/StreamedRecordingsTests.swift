import FileIO
import Foundation
import TestSupport
import Testing

@testable import Archives
@testable import Concurrency
@testable import DatasetExtraction

struct StreamedRecordingsTests {
    /// The recordings of a stream of these bytes.
    private func members(of bytes: [UInt8]) throws -> StreamedRecordings {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        try pipe.fileHandleForWriting.close()
        let descriptor = dup(pipe.fileHandleForReading.fileDescriptor)
        return try StreamedRecordings(name: "the stream", descriptor: descriptor, cancellation: Cancellation())
    }

    @Test(arguments: [1, 511, 512, 600])
    func `only the first error is reported, and every other thread finds the end`(count: Int) throws {
        let members = try members(of: Array(repeating: UInt8(ascii: "x"), count: count))
        let file = try members.file()
        let error = #expect(throws: ExtractionError.self) { try members.next(into: file) }
        #expect(error == .stream(name: "the stream", .notTar))
        for _ in 0..<3 { #expect(try members.next(into: file) == nil) }
    }
}
