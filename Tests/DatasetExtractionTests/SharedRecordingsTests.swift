import ExtractionSupport
import FeatureModel
import FeatureStorage
import FileIO
import Foundation
import Messages
import TestSupport
import Testing

/// The collections of broken files and of formats. They are not part of the repository: without them, these tests are reported as
/// skipped.
@Suite(.needsCollection)
struct SharedRecordingsTests {
    private let fixture: ExtractionFixture

    init() throws { fixture = try ExtractionFixture() }

    /// The rows of a table whose first line names the columns; fields may be quoted.
    private func table(_ url: URL) throws -> [[String: String]] {
        var rows: [[String]] = []
        for line in try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline) {
            var fields = [""]
            var isQuoted = false
            for character in line {
                if character == "\"" {
                    isQuoted.toggle()
                } else if character == ",", !isQuoted {
                    fields.append("")
                } else {
                    fields[fields.count - 1].append(character)
                }
            }
            rows.append(fields)
        }
        let names = try #require(rows.first)
        return rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
    }

    /// Extracts files of a folder, by two threads; the ids are their names.
    private func extract(_ files: [String], of folder: URL, _ configuration: FeatureConfiguration) throws
        -> FeatureReader
    {
        let rows = files.map { "\"\($0)\",\"\(folder.appending(path: $0).path)\"\n" }.joined()
        return try fixture.extract("id,path\n" + rows, configuration)
    }

    @Test(.timeLimit(.minutes(5)))
    func `broken recordings fail one by one, and awkward ones that are whole are stored`() throws {
        let folder = try Fixtures.collection().appending(path: "broken")
        var expected: [String: String] = [:]
        for row in try table(folder.appending(path: "manifest.csv")) {
            guard let file = row["file"], !file.contains("/"), let expect = row["expect"] else { continue }
            // 12,000 samples at 1 Hz are 192 million at 16 kHz: allowed, but minutes of work in a debug build.
            if file != "rate_1.wav" { expected[file] = expect }
        }
        #expect(expected.count > 50)
        let file = try extract(expected.keys.sorted(), of: folder, Preset.logMel.configuration())
        let stored = Set(try file.allClips().map(\.id))
        let failures = Dictionary(uniqueKeysWithValues: try file.allFailures().map { ($0.id, $0.failure) })
        #expect(stored.count + failures.count == expected.count)
        for (name, expect) in expected.sorted(by: { $0.key < $1.key }) {
            switch expect {
            case "ok": #expect(stored.contains(name), "\(name): \(failures[name]?.description ?? "")")
            case "either": break
            case "bad-samples": #expect(failures[name]?.stage == .decode, "\(name)")
            case "empty", "short", "error": #expect(failures[name] != nil, "\(name) is \(expect), but stored")
            default: Issue.record("\(name): the table expects '\(expect)'")
            }
        }
        #expect(try file.verify().isEmpty)
    }

    @Test(.timeLimit(.minutes(5)))
    func `every format that libsndfile reads is stored, the lossless ones with the values of the reference`() throws {
        let folder = try Fixtures.collection().appending(path: "formats")
        let rows = try table(folder.appending(path: "manifest.csv"))
        let files = rows.compactMap { $0["file"] }
        #expect(files.count == 97)
        // Not normalised, so that a clip's values depend on the clip alone.
        let base = try Preset.logMel.configuration()
        let configuration = try FeatureConfiguration(
            audio: base.audio, frame: base.frame, transform: base.transform, scale: base.scale,
            normalize: NormalizeConfiguration(scope: .none))
        let file = try extract(files, of: folder, configuration)
        let stored = Dictionary(uniqueKeysWithValues: try file.allClips().map { ($0.id, $0) })
        var compared = 0
        for row in rows {
            guard let name = row["file"] else { continue }
            let isReadable = !(row["sndfile_format"] ?? "").isEmpty && row["samplerate"] != ""
            // Where ffmpeg is installed it may read the others.
            if isReadable || !MediaFile.isNamed(name) || FFmpegPrograms.installed == nil {
                #expect((stored[name] != nil) == isReadable, "\(name): \(row["note"] ?? "")")
            }
            guard let clip = stored[name], row["max_abs_diff_to_ref"] == "0", row["samplerate"] == "24000" else {
                continue
            }
            let reference = row["channels"] == "2" ? "ref_stereo_s16.wav" : "ref_mono_s16.wav"
            guard row["channels"] == "1" || row["channels"] == "2", row["frames"] == "36000" else { continue }
            let (found, expected) = (try file.features(of: clip).values, try file.features(id: reference))
            let difference = zip(found, expected).map { abs($0 - $1) }.max() ?? .infinity
            #expect(found.count == expected.count && difference <= 1e-6, "\(name): \(difference)")
            compared += 1
        }
        #expect(compared > 20)
        #expect(try file.verify().isEmpty)
    }
}
