import ConfigurationFiles
import FeatureModel
import Foundation
import TestSupport
import Testing

/// Without a bound each of these would take seconds, or not end, or fill the terminal.
struct ConfigurationBoundsTests {
    private func message(_ text: String, _ assignments: String...) -> String? {
        do {
            var source = try ConfigurationSource(text: text, path: "my.yaml")
            for assignment in assignments { try source.set(assignment) }
            _ = try source.configuration()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func refusal(file path: String) -> ConfigurationFileError? {
        do {
            _ = try ConfigurationSource(file: path).configuration()
            return nil
        } catch {
            return error as? ConfigurationFileError
        }
    }

    @Test func `many unknown keys are one short sentence`() throws {
        for count in [3000, 300_000] {
            for text in [
                (0..<count).map { "k\($0): 1\n" }.joined(),
                "frame: {" + (0..<count).map { "k\($0): 1" }.joined(separator: ", ") + "}",
            ] {
                let message = try #require(self.message(text))
                #expect(message.utf8.count < 400, "\(message.prefix(500))")
            }
        }
    }

    @Test(arguments: [
        "? *a39\n: 1\n", "frame: {*a39 : 1}\n", "frame: {hop: *a39}\n", "? [*a39]\n: x\n", "a: {? *a39 : *a39}\n",
    ])
    func `aliases of aliases are refused anywhere`(end: String) throws {
        for (open, close) in [("[", "]"), ("{x: ", "}")] {
            let lines = (1..<40).map { level in
                open == "["
                    ? "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n"
                    : "a\(level): &a\(level) {x: *a\(level - 1), y: *a\(level - 1)}\n"
            }
            let message = try #require(self.message("a0: &a0 \(open)x\(close)\n" + lines.joined() + end))
            #expect(message.contains("at most 32 aliases") && message.utf8.count < 300, "\(message)")
        }
    }

    @Test func `the maximum number of aliases is read at once, whatever they double`() {
        for width in [2, 3, 4, 8] {
            let lines = (1...32 / width).map { level in
                "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: width).joined(separator: ", ")
                    + "]\n"
            }
            let last = "? &z [x, *a\(32 / width - 1)]\n: 1\n"
            #expect(message("a0: &a0 [x]\n" + lines.dropLast().joined() + last) != nil)
        }
    }

    @Test func `asterisks that are not aliases are not counted`() throws {
        let comment = String(repeating: "# * ** *name *** a*b\n", count: 100)
        let words = Array(repeating: "a*b", count: 100).joined(separator: "-")
        #expect(message(comment + "normalize: {fit: \(words)}") == nil)
    }

    @Test func `an assignment is repeated no further than its beginning`() throws {
        let long = String(repeating: "x", count: 60_000)
        for assignment in [
            long, "frame.hop=" + long, "frame." + long + "=1", long + "=1", "frame.window=" + String(long.prefix(4000)),
            "frame.hop=[" + String(repeating: "[", count: 3900), "normalize.fit={\(long.prefix(3000))",
            String(long.prefix(4000)) + "=1",
            "frame.hop={a: 1, a: 1, " + (0..<300).map { "k\($0): 1, k\($0): 2" }.joined(separator: ",") + "}",
        ] {
            let message = try #require(self.message("{}", assignment), "\(assignment.prefix(50))")
            #expect(message.utf8.count < 500, "\(message.prefix(600))")
        }
    }

    @Test func `an error in a long line is named by its position, not by its text`() throws {
        let text =
            "frame: {hop: 160, length: 400}  # " + String(repeating: "y", count: 20_000) + "\n" + "\t- a: b: c "
            + String(repeating: "z", count: 20_000)
        let message = try #require(self.message(text))
        #expect(message.contains("line 2") && message.utf8.count < 300, "\(message.prefix(400))")
        let twice = try #require(self.message("frame: {hop: 1, hop: 2}\n# " + String(repeating: "y", count: 20_000)))
        #expect(twice.contains("duplicate key: 'hop'") && twice.utf8.count < 300)
    }

    @Test func `a file that is not a configuration by its size is refused before it is read`() throws {
        let folder = try TemporaryFolder()
        let large = try folder.write(String(repeating: "# nothing\n", count: 200_000), to: "large.yaml")
        #expect(
            refusal(file: large)
                == .unreadable(path: large, reason: "expected a configuration of at most 1048576 bytes, found 2000000"))
        guard case .unreadable("/dev/zero", let endless)? = refusal(file: "/dev/zero") else {
            Issue.record("another error")
            return
        }
        #expect(endless.hasSuffix("1048576 bytes, found more"))
        let path = folder.url.path
        #expect(
            refusal(file: path)
                == .unreadable(path: path, reason: "expected a file of YAML or JSON, found a folder"))
        #expect(refusal(file: "/dev/null") == nil, "nothing, which is log-mel")
    }

    @Test func `a pipe is read to its end`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        // A thread of its own: those that tasks share may all be busy with other tests.
        let writing = Thread {
            let file = open(path, O_WRONLY)
            for part in ["frame: {hop", ": 80}\n", "audio: {channels: first}\n"] {
                _ = part.withCString { write(file, $0, strlen($0)) }
                usleep(50_000)
            }
            close(file)
        }
        writing.start()
        let found = try ConfigurationSource(file: path).configuration()
        #expect(found.frame.hop == .samples(80) && found.audio.channels == .first)
    }

    @Test func `a pipe without a writer is named as one`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        #expect(
            refusal(file: path)
                == .unreadable(path: path, reason: "expected a writer of the pipe, found none for 2 s"))
    }
}
