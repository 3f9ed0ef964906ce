import Foundation
import TestSupport
import Testing

@testable import Manifests

struct OtherFileTests {
    @Test(
        arguments: [
            ("README.md", .harmless), ("d/readme.txt", .harmless), ("LICENSE", .harmless),
            ("spectrogram.png", .harmless),
            ("features.h5", .harmless), ("BirdNET_analysis_params.csv", .harmless),
            ("manifest-md5.txt", .harmless), ("tagmanifest-sha256.txt", .harmless), ("requirements.txt", .harmless),
            ("Checksums.md5", .harmless), ("bagit.txt", .harmless), ("bag-info.txt", .harmless),
            ("changes_01.pcm", .recording(reason: nil)), ("readme.spx", .recording(reason: nil)),
            ("license.raw", .recording(reason: nil)), ("A.WAV.GZ", .recording(reason: nil)),
            ("b.Wav.Bz2", .recording(reason: nil)), ("c.PCM", .recording(reason: nil)),
            ("d.wac", .recording(reason: nil)),
            ("manifest-train.csv", .table), ("manifest-train.txt", .table), ("checksum_labels.csv", .table),
            ("changes_01.csv", .table), ("requirements-labels.txt", .table),
            ("take.pcm", .recording(reason: nil)),
            ("take.wav.gz", .recording(reason: nil)), ("take.SPX", .recording(reason: nil)), ("more.rar", .archive),
            ("more.tar.xz", .archive), ("labels.csv", .table), ("metadata.parquet", .parquet),
            ("cuts.jsonl.gz", .table),
            ("a.TextGrid", .table), ("a_JS.Table.1.selections.txt", .table), ("a.Table01.txt", .table),
            ("a_selections.txt", .table), ("test_list.txt", .table), ("notes.txt", .companion),
            ("a.wav.json", .companion),
            ("testing_list.txt", .dataset("Speech Commands")), ("1-2.trans.txt", .dataset("LibriSpeech")),
            ("meta/esc50.csv", .dataset("ESC-50")),
        ] as [(String, OtherFile)])
    func `the kinds of files that are not recordings`(name: String, file: OtherFile) {
        #expect(OtherFile(name) == file)
    }

    @Test(arguments: ["a.bwf", "a.BWF", "a.WAV", "a.Flac", "a.rf64"])
    func `recordings by their extension, in any case`(name: String) { #expect(RecordingName.isRecording(name)) }

    @Test func `a table with the columns of a manifest is Veery's own only if it says no more than the folders`() throws
    {
        let folder = try TemporaryFolder()
        func isOwn(_ text: String, _ name: String = "m.csv") throws -> Bool {
            try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
            return OwnManifest.isOne(folder.path(name))
        }
        let start = "path,id,label\ndog/a.wav,dog/a,dog\n"
        #expect(try isOwn(start))
        #expect(try isOwn(start + "d/dog/b.wav,dog/b,\n"))
        #expect(try isOwn("path,id,label,split\ntrain/dog/a.wav,train/dog/a,dog,train\n"))
        #expect(try isOwn("path,id,label,start,end\ndog/a.wav,dog/a#0.5-1,dog,0.5,1\n"))
        #expect(try isOwn("path\tid\tlabel\ndog/a.wav\tdog/a\tdog\n", "m.tsv"))
        #expect(try isOwn(#"{"path": "dog/a.wav", "id": "dog/a", "label": "dog"}"# + "\n", "m.jsonl"))
        // Labels, ids, splits and columns of another source, also in the last row alone.
        #expect(try !isOwn(start + "dog/b.wav,dog/b,wolf\n"))
        #expect(try !isOwn(start + "dog/b.wav,clip7,dog\n"))
        #expect(try !isOwn("path,id,label,split\ndog/a.wav,dog/a,dog,train\n"))
        #expect(try !isOwn("path,id,label,speaker\ndog/a.wav,dog/a,dog,ann\n"))
        #expect(try !isOwn("path,id,label,start,end\ndog/a.wav,dog/a,dog,0.5,1\n"))
        #expect(try !isOwn(start + "dog/b.wav\n"))
    }

    @Test func `paths that lead to one file are one`() throws {
        let folder = try TemporaryFolder()
        let root = folder.path("d")
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "d")
        for (given, paths) in [
            root: [
                "a//b.wav", "x/../a/b.wav", "./a/./b.wav", "a\\b.wav", root + "/a/b.wav", root + "/x/..//a/b.wav",
                "../d/a/b.wav",
            ],
            folder.path("link"): [root + "/a/b.wav", folder.path("link/a/b.wav"), "../link/a/b.wav"],
        ] {
            for path in paths {
                var files = UsedFiles(root: given)
                files.insert(path)
                #expect(files.contains("a/b.wav"), "\(path)")
                #expect(!files.contains("b.wav") && !files.contains("d/a/b.wav"))
            }
        }
        var files = UsedFiles(root: root)
        for path in [root + "x/a/b.wav", "../a/b.wav", "/a/b.wav"] { files.insert(path) }
        #expect(!files.contains("a/b.wav"))
    }

    @Test func `paths of files that are read are the same with ./ and backslashes`() {
        var files = UsedFiles()
        files.insert("./a/b.wav")
        files.insert("c\\d.wav")
        #expect(files.contains("a/b.wav") && files.contains("c/d.wav") && !files.contains("b.wav"))
    }
}
