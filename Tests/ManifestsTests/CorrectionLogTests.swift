import Dispatch
import FeatureModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Manifests

struct CorrectionLogTests {
    private static func relabel(_ id: String, _ label: String) -> Correction {
        Correction(id: id, action: .relabel(label))
    }

    @Test(arguments: 0..<10) func `what is appended is in the file`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var generator = CorrectionGenerator(seed: seed)
        var log = try CorrectionLog(path: folder.path("c.csv"))
        #expect(try log.news().areAll)
        var all: [Correction] = []
        for _ in 0..<8 {
            let batch = (0..<generator.pick([0, 1, 5])).map { _ in generator.correction() }
            try log.append(batch)
            all += batch
            let news = try log.news()
            #expect(news.lines.map(\.correction) == batch && !news.areAll && news.torn.isEmpty)
            #expect(news.lines.map(\.line) == (all.count - batch.count..<all.count).map { $0 + 2 })
        }
        #expect(try Array(Data(contentsOf: URL(filePath: folder.path("c.csv")))) == correctionBytes(all))
        #expect(try CorrectionFile(path: folder.path("c.csv")).lines.map(\.correction) == all)
    }

    /// A program that was killed leaves any part of a line; one that follows loses no whole line, and its own are whole.
    @Test(arguments: 0..<10) func `a torn line is ended, and loses no other`(seed: UInt64) throws {
        var generator = CorrectionGenerator(seed: seed)
        let (first, torn, next) = (generator.correction(), generator.correction(), generator.correction())
        let (whole, all) = (correctionBytes([first]), correctionBytes([first, torn]))
        let folder = try TemporaryFolder()
        for cut in whole.count + 1..<all.count {
            let path = try folder.write(Array(all[..<cut]), to: "c.csv")
            var log = try CorrectionLog(path: path)
            // With and without having read the lines before.
            if cut % 2 == 0 { #expect(try log.news().torn == [3]) }
            try log.append([next])
            try log.append([first])
            let file = try CorrectionFile(path: path)
            #expect(
                file.lines.map(\.correction) == [first, next, first], "\(String(decoding: all[..<cut], as: UTF8.self))")
            #expect(file.torn == [3] && file.lines.map(\.line) == [2, 4, 5])
            let news = try log.news()
            #expect(news.lines.map(\.correction).suffix(2) == [next, first] && news.torn == [3])
        }
    }

    @Test func `a line that is torn within a field of two lines is ended`() throws {
        let folder = try TemporaryFolder()
        let start = String(decoding: correctionBytes([]), as: UTF8.self) + "a,,,,,note,,\"x\ny\",,\n"
        let path = try folder.write(start + "b,,,,,note,,\"two\n", to: "c.csv")
        var log = try CorrectionLog(path: path)
        try log.append([Self.relabel("c", "d")])
        let file = try CorrectionFile(path: path)
        #expect(file.lines.map(\.correction.id) == ["a", "c"] && file.torn == [4])
    }

    @Test func `several programs lose none of their lines`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("c.csv")
        let failures = Mutex<[String]>([])
        let (writers, batches) = (4, 40)
        DispatchQueue.concurrentPerform(iterations: writers) { writer in
            do {
                // Each with its own descriptor, as in a process of its own.
                var log = try CorrectionLog(path: path)
                for batch in 0..<batches {
                    try log.append((0..<3).map { Self.relabel("w\(writer)", "\(batch * 3 + $0), \"") })
                    if batch % 7 == writer { _ = try log.news() }
                }
            } catch { failures.withLock { $0.append("\(error)") } }
        }
        #expect(failures.withLock { $0 }.isEmpty)
        let lines = try CorrectionFile(path: path).lines
        #expect(lines.count == writers * batches * 3)
        for writer in 0..<writers {
            let own = lines.filter { $0.correction.id == "w\(writer)" }.map(\.correction.action)
            #expect(own == (0..<batches * 3).map { .relabel("\($0), \"") })
        }
        // The lines of one write follow one another.
        for batch in stride(from: 0, to: lines.count, by: 3) {
            #expect(Set(lines[batch..<batch + 3].map(\.correction.id)).count == 1)
        }
    }

    @Test func `a second program reads what the first has written, each line once`() throws {
        let folder = try TemporaryFolder()
        var one = try CorrectionLog(path: folder.path("c.csv"))
        var two = try CorrectionLog(path: folder.path("c.csv"))
        _ = try two.news()
        for number in 0..<50 {
            try one.append([Self.relabel("a", "\(number)")])
            try two.append([Self.relabel("b", String(repeating: "x", count: number * 40))])
            let news = try two.news()
            #expect(news.lines.map(\.correction.id) == ["a", "b"] && !news.areAll)
        }
        #expect(try one.news().lines.count == 100)
        #expect(try one.news().lines.isEmpty)
    }

    @Test func `a file that was replaced or cut off is read anew`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("c.csv")
        var log = try CorrectionLog(path: path)
        try log.append([Self.relabel("a", "b"), Self.relabel("c", "d")])
        #expect(try log.news().lines.count == 2)
        // As an editor saves: under another name, which then is that of the file.
        _ = try folder.write(correctionBytes([Self.relabel("x", "y")]), to: "other.csv")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: folder.path("other.csv"), toPath: path)
        try log.append([Self.relabel("e", "f")])
        var news = try log.news()
        #expect(news.areAll && news.lines.map(\.correction.id) == ["x", "e"])
        // In place.
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.truncate(atOffset: UInt64(correctionBytes([]).count))
        try handle.close()
        news = try log.news()
        #expect(news.areAll && news.lines.isEmpty)
        // In place, with columns in another order, which the lines take.
        for (index, text) in ["action,id,by,given,note,label,audio_xxh3,end,start,path\n", "path,id"].enumerated() {
            if index == 0 { _ = try log.news() }
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
            guard index == 0 else {
                #expect(throws: CorrectionError.self) { try log.append([Self.relabel("i", "j")]) }
                break
            }
            try log.append([Self.relabel("i", "j")])
            let lines = try CorrectionFile(path: path).lines
            #expect(lines.map(\.correction) == [Self.relabel("i", "j")])
        }
        try FileManager.default.removeItem(atPath: path)
        try log.append([Self.relabel("g", "h")])
        #expect(try CorrectionFile(path: path).lines.count == 1)
    }

    @Test func `a bad line is reported until it is mended, and keeps nobody from writing`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("c.csv")
        var log = try CorrectionLog(path: path)
        _ = try log.news()
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("a,,,,,nothing,,,,\n".utf8))
        try handle.close()
        #expect(throws: CorrectionError.self) { try log.news() }
        try log.append([Self.relabel("b", "c")])
        #expect(throws: CorrectionError.self) { try log.news() }
        let text = try String(contentsOfFile: path, encoding: .utf8).replacing("nothing", with: "exclude")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try log.news().lines.count == 2)
    }

    /// Whatever somebody has done to the file: it is read or refused, and a line that is added is whole and changes no other.
    @Test(arguments: 0..<300) func `damaged files`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var generator = CorrectionGenerator(seed: seed)
        var bytes = correctionBytes((0..<6).map { _ in generator.correction() })
        for _ in 0..<generator.pick([1, 2, 5]) {
            let index = generator.pick(Array(bytes.indices))
            switch generator.pick([0, 1, 2, 3, 4]) {
            case 0:
                bytes[index] = generator.pick([Byte.quote, Byte.comma, Byte.lineFeed, 0, 0xFF, Byte.carriageReturn])
            case 1: bytes.insert(generator.pick([Byte.quote, Byte.lineFeed]), at: index)
            case 2: bytes.removeSubrange(index..<min(index + 5, bytes.count))
            case 3: bytes.removeLast(bytes.count - index)
            default: bytes += bytes[index...]
            }
            if bytes.isEmpty { bytes = [Byte.lineFeed] }
        }
        let path = try folder.write(bytes, to: "c.csv")
        guard let before = (try? CorrectionFile(path: path))?.lines.map(\.correction) else { return }
        let added = Self.relabel("new", "label")
        do { try Self.add(added, to: path, after: seed % 2 == 0 ? before : nil) } catch CorrectionError.otherForm {
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
            return
        }
        #expect(try CorrectionFile(path: path).lines.map(\.correction) == before + [added])
    }

    /// Adds a line as a program does that has read those before, or not.
    private static func add(_ correction: Correction, to path: String, after read: [Correction]?) throws {
        var log = try CorrectionLog(path: path)
        if let read {
            let found = try log.news().lines.map(\.correction)
            #expect(found == read)
        }
        try log.append([correction])
        let last = try log.news().lines.last?.correction
        #expect(last == correction)
    }

    @Test func `columns of another order are kept`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "# mine\naction,id,by,given,note,label,audio_xxh3,end,start,path\n", to: "c.csv")
        var log = try CorrectionLog(path: path)
        _ = try log.news()
        try log.append([Self.relabel("a", "b")])
        try log.append([Self.relabel("a", "c")])
        let news = try log.news()
        #expect(
            news.lines.map(\.line) == [3, 4] && news.lines.map(\.correction.action) == [.relabel("b"), .relabel("c")])
        #expect(
            try String(contentsOfFile: path, encoding: .utf8).hasSuffix("\nrelabel,a,,,,b,,,,\nrelabel,a,,,,c,,,,\n"))
    }

    @Test func `files that lines cannot be added to are refused`() throws {
        let folder = try TemporaryFolder()
        for text in ["id,action\n", "id;path;start;end;audio_xxh3;action;label;note;given;by\n", ""] {
            let path = try folder.write(text, to: "c.csv")
            #expect(throws: CorrectionError.self) { _ = try CorrectionLog(path: path) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
        #expect(throws: CorrectionError.self) { _ = try CorrectionLog(path: folder.url.path) }
        #expect(throws: CorrectionError.self) { _ = try CorrectionLog(path: folder.path("no/c.csv")) }
        var log = try CorrectionLog(path: folder.path("new.csv"))
        #expect(throws: CorrectionError.unwritable(id: "a")) { try log.append([Self.relabel("a", "b\nc")]) }
        #expect(throws: CorrectionError.unwritable(id: "a")) {
            try log.append([Correction(id: "a", action: .checked, by: CorrectionText.mark)])
        }
        #expect(throws: CorrectionError.unwritable(id: "")) { try log.append([Self.relabel("", "b")]) }
        #expect(try CorrectionFile(path: folder.path("new.csv")).lines.isEmpty)
    }
}
