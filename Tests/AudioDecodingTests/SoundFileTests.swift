import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

#if canImport(Glibc)
    import Glibc
#endif

struct SoundFileTests {
    private func failure(_ path: String) -> ClipFailure? {
        do throws(ClipFailure) {
            _ = try SoundFile(path: path)
            return nil
        } catch {
            return error
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `what is not a recording is refused with what it is`() throws {
        let folder = try TemporaryFolder()
        let fifo = folder.path("fifo.wav")
        #expect(mkfifo(fifo, 0o600) == 0)
        try FileManager.default.createDirectory(atPath: folder.path("x.wav"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path("loop.wav"), withDestinationPath: "loop.wav")
        let expected: [(String, ClipFailure)] = [
            (folder.path("none.wav"), .cannotOpen(ClipFailureTable.gone)),
            (try folder.write("x", to: "a") + "/b.wav", .cannotOpen(SystemCallError(ENOTDIR))),
            (folder.path("x.wav"), .isFolder), (fifo, .isNotRegularFile), ("/dev/null", .isNotRegularFile),
            (try folder.write("", to: "empty.wav"), .isEmptyFile),
            (try folder.write("Dear diary", to: "text.wav"), .foreign(.text("Dear diary"))),
            (folder.path("loop.wav"), .cannotOpen(SystemCallError(ELOOP))), ("", .cannotOpen(ClipFailureTable.gone)),
        ]
        for (path, expected) in expected { #expect(failure(path) == expected, "\(path)") }
    }

    @Test func `a text in UTF-16 is one, whatever its name, and bytes that start like it are none`() throws {
        let folder = try TemporaryFolder()
        func bytes(_ units: [UInt16], isBigEndian: Bool) -> [UInt8] {
            units.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        }
        func failure(_ bytes: [UInt8], _ name: String) throws -> ClipFailure? {
            try Data(bytes).write(to: folder.url.appending(path: name))
            return self.failure(folder.path(name))
        }
        // The last character of those that are looked at is cut in two.
        let long = "<p>Zaunkönig 鳥</p>\n" + String(repeating: "🐦", count: 500)
        for isBigEndian in [false, true] {
            for (text, isMarked) in [("Dear diary", false), ("Dear diary", true), (long, true), ("x" + long, true)] {
                let units = (isMarked ? [0xFEFF] : []) + Array(text.utf16)
                let first = String(text.prefix { $0 != "\n" })
                for name in ["text.mp3", "text.wav"] {
                    #expect(
                        try failure(bytes(units, isBigEndian: isBigEndian), name) == .foreign(.text(first)), "\(text)")
                }
            }
            // Half of a pair of units, a character of no text.
            for unit: UInt16 in [0xDC00, 0xE123, 0x0001] {
                let units = Array("\u{FEFF}Dear".utf16) + [unit] + Array("diary".utf16)
                let found = try failure(bytes(units, isBigEndian: isBigEndian), "none.wav")
                #expect(found?.kind == .unknownFormat, "\(unit)")
            }
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root reads every file"))
    func `a file without permission to read is refused`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.wave("a.wav", .pcm16([1, 2]))
        #expect(chmod(path, 0) == 0)
        #expect(failure(path) == .cannotOpen(SystemCallError(EACCES)))
    }

    @Test func `the header says rate, channels and length`() throws {
        let folder = try TemporaryFolder()
        let file = try SoundFile(path: folder.wave("a.wav", .pcm16([1, 2, 3, 4, 5, 6]), rate: 192_000, channels: 3))
        #expect(file.sampleRate == 192_000 && file.channels == 3 && file.frameCount == 2)
    }

    @Test func `a file without samples is opened, and the clip refused as empty`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.wave("a.wav", .pcm16([]))
        #expect(failure(path) == nil)
        let found = try #require(try decoder().failure(path))
        #expect(found == .noSamples)
        #expect(throws: found) { try decoder().survey(Clip(index: 0, id: "", path: path), path: path) }
    }

    @Test func `every way of cutting a file short gives samples or a failure`() throws {
        let folder = try TemporaryFolder()
        let whole = WaveFile.data(.pcm16((0..<200).map { Int16($0) }), rate: 8000)
        let path = folder.path("cut.wav")
        for length in 0..<whole.count {
            try whole.prefix(length).write(to: URL(filePath: path))
            let decoder = try decoder()
            do throws(ClipFailure) {
                let samples = try decoder.read(path).signal
                let expected = (0..<samples.count).map { (index: Int) -> Float in Float(index) / 32_768 }
                #expect(samples == expected, "\(length) bytes")
            } catch let failure where failure.stage == .open || failure.stage == .decode {
                #expect(!failure.reason.isEmpty)
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `every byte of a header may be wrong`() throws {
        let folder = try TemporaryFolder()
        let whole = WaveFile.data(.pcm16((0..<100).map { Int16($0) }), rate: 8000)
        let path = folder.path("bad.wav")
        for position in 0..<44 {
            for value in [UInt8(0), 1, 0x7F, 0xFF] {
                var bytes = whole
                bytes[position] = value
                try bytes.write(to: URL(filePath: path))
                let samples = try? decoder().read(path).signal
                #expect((samples?.count ?? 0) <= 1000, "byte \(position) = \(value)")
            }
        }
    }

    @Test func `the reason of a recording that cannot be opened is its own, whatever other threads open`() async throws
    {
        let folder = try TemporaryFolder()
        let good = try folder.writeWave([[0, 0.5, -0.5]], sampleRate: 8000, to: "good.wav")
        // Two kinds of failure, each with words of its own.
        let text = try folder.write(String(repeating: "no recording ", count: 20), to: "text.wav")
        let cut = try folder.write("RIFF\u{10}\0\0\0WAVEfmt ", to: "cut.wav")
        func reason(_ path: String) -> String {
            do throws(ClipFailure) {
                _ = try SoundFile(path: path)
                return "none"
            } catch {
                return error.reason
            }
        }
        let paths = [good, text, cut]
        let expected = paths.map(reason)
        try #require(Set(expected).count == 3)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    (0..<2000).count { round in
                        let position = (round * 7 + worker) % 3
                        return reason(paths[position]) != expected[position]
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
