import FileIO
import Testing

/// Programs whose output is read as a stream.
struct ChildProcessTests {
    private final class Counter { var count = 0 }

    @Test func `may close its standard error: its output is waited for, not asked for again and again`() throws {
        let calls = Counter()
        let child = try ChildProcess(
            "/bin/sh", ["-c", "exec 2>&-; sleep 1; echo done"],
            shouldStop: {
                calls.count += 1
                return false
            })
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
        defer { bytes.deallocate() }
        let count = try child.read(into: bytes)
        #expect(Array(bytes[..<count]) == Array("done\n".utf8))
        #expect(try child.read(into: bytes) == 0)
        // Ten times a second.
        #expect(calls.count < 100)
    }
}
