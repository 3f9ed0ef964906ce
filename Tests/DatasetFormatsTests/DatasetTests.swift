import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import DatasetFormats
@testable import Manifests

struct DatasetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ files: [String: String]) throws {
        for (name, text) in files {
            let url = folder.url.appending(path: name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
    }

    private func clips(
        _ name: String = "", format: DatasetFormat? = nil, columns: ColumnMap = ColumnMap()
    ) throws -> [Clip] {
        let path = name.isEmpty ? folder.url.path : folder.path(name)
        let manifest = try Dataset.open(ManifestInput(path: path), format: format, columns: columns).manifest
        let reader = try manifest.reader()
        var clips: [Clip] = []
        while let clip = try reader.next() { clips.append(clip) }
        return clips
    }

    private func refusal(
        _ name: String = "", format: DatasetFormat? = nil, columns: ColumnMap = ColumnMap()
    ) -> ManifestError? {
        #expect(throws: ManifestError.self) { _ = try clips(name, format: format, columns: columns) }
    }

    /// The problems of rows: in which file and line, and in what words they begin.
    private func problems(_ error: ManifestError?) -> [(file: String, line: Int, text: String)] {
        switch error {
        case .invalidRows(_, let rows, _)?, .invalidTable(_, let rows, _)?:
            rows.map { ($0.file, $0.line, "\($0.text)") }
        default: []
        }
    }

    @Test(arguments: [
        ("train-clean-100", "train"), ("dev_other", "dev"), ("test.tsv", "test"), ("Training", "train"),
        ("testing", "test"), ("validation", "validation"), ("valid", "valid"), ("val", "val"), ("trainer", nil),
        ("robin", nil), ("", nil),
    ])
    func `the split of a part of a dataset`(name: String, split: String?) {
        #expect(SplitName.of(name) == split)
    }

    @Test(arguments: [
        ("train", "train"), ("Training", "train"), ("train-clean-100", "train"), ("dev_other", "dev"),
        ("test-other", "test"), ("train_horn", nil), ("test_1", nil), ("val_a", nil), ("train.dog", nil),
        ("train-clean-100-x", nil), ("train-clean-x", nil), ("", nil),
    ])
    func `a folder is a split by a split's own name, or one of LibriSpeech's`(name: String, split: String?) {
        #expect(SplitName.ofFolder(name) == split)
    }

    @Test func `every format is recognised by what it has, and by nothing else's`() throws {
        let samples: [(DatasetFormat, [String: String])] = [
            (.kaldi, ["wav.scp": "a a.wav\n"]),
            (
                .lhotse,
                [
                    "recordings.jsonl":
                        #"{"id": "a", "sources": [{"type": "file", "channels": [0], "source": "a.wav"}], "sampling_rate": 1}"#
                ]
            ),
            (.esc50, ["meta/esc50.csv": "filename,fold,target,category\na.wav,1,0,dog\n"]),
            (.urbanSound8K, ["metadata/UrbanSound8K.csv": "slice_file_name,fsID,fold,class\na.wav,1,0,dog\n"]),
            (.commonVoice, ["train.tsv": "client_id\tpath\tsentence\nx\ta.mp3\thi\n", "clips/a.mp3": ""]),
            (.speechCommands, ["validation_list.txt": "", "testing_list.txt": "", "yes/a_nohash_0.wav": ""]),
            (.libriSpeech, ["dev-clean/1/2/1-2.trans.txt": "1-2-0000 A\n", "dev-clean/1/2/1-2-0000.flac": ""]),
            (.audioFolder, ["metadata.csv": "file_name,label\na.wav,x\n"]),
            (.audioFolder, ["train/x/a.wav": "", "test/x/a.wav": ""]),
            (.folder, ["x/a.wav": "", "train/a.wav": ""]),
        ]
        for (format, files) in samples {
            let folder = try TemporaryFolder()
            for (name, text) in files {
                let url = folder.url.appending(path: name)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
            }
            let location = try DatasetLocation(ManifestInput(path: folder.url.path))
            let found = try DatasetFormat.reader(of: location).map { type(of: $0).format }
            #expect(found == format, "\(files.keys.sorted())")
        }
    }

    @Test func `recordings of one file in a Kaldi directory need their channels`() throws {
        try write(["wav.scp": "x-A x.wav\nx-B x.wav\ny y.wav\n"])
        func read() throws -> [Clip] { try clips() }
        let found = problems(refusal())
        let words = "nothing says which channel each of them is: add reco2file_and_channel"
        #expect(!found.isEmpty && found.allSatisfy { $0.text.contains(words) })
        try write(["segments": "u1 x-A 0 1 0\nu2 x-B 0 1 1\n"])
        #expect(try read().map(\.channel) == [0, 1])
        try write(["segments": "u1 x-A 0 1\n"])
        #expect(throws: ManifestError.self) { try read() }
        try write(["reco2file_and_channel": "x-A x A\nx-B x B\ny y 0\n"])
        #expect(try read().map(\.channel) == [0])
    }

    @Test func `a column may be named text or speaker, which exports look for`() throws {
        try write(["m.csv": "path,text,transcription\na.wav,x,hello\n"])
        let target = try #require(ColumnMap.Target(name: "Text"))
        let columns = ColumnMap([(target, "transcription"), (.speech(.speaker), "path")])
        _ = refusal("m.csv", columns: columns)
        let named = try Dataset.open(
            ManifestInput(path: folder.path("m.csv")), columns: ColumnMap([(target, "transcription")]))
        #expect(named.manifest.extraColumns == ["text"])
        #expect(try named.manifest.reader().next()?.extra == ["hello"])
    }

    @Test
    func `paths of a Kaldi directory start where most recordings are, also if the first is missing or it is a link`()
        throws
    {
        try write([
            "data/train/wav.scp": "a audio/a.wav\nb audio/b.wav\nc audio/c.wav\n", "data/audio/a.wav": "",
            "audio/b.wav": "",
            "audio/c.wav": "", "elsewhere/x": "",
        ])
        let link = folder.path("elsewhere/linked")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("data/train"))
        for path in [folder.path("data/train"), link] {
            let root = try Dataset.open(ManifestInput(path: path)).root
            #expect(FileManager.default.fileExists(atPath: root + "/audio/c.wav"), "\(root)")
        }
        try FileManager.default.removeItem(atPath: folder.path("audio"))
        #expect(try Dataset.open(ManifestInput(path: link)).root.hasSuffix("/data"))
    }

    @Test
    func `a folder of parts of a Kaldi directory, one without wav.scp, and features of lhotse are refused by name`()
        throws
    {
        try write([
            "split4/1/wav.scp": "a a.wav\n", "split4/2/wav.scp": "b b.wav\n", "bare/segments": "u a 0 1\n",
            "feats.jsonl":
                #"{"type": "fbank", "recording_id": "a", "storage_type": "x", "storage_path": "y", "start": 0}"#,
        ])
        func expected(_ name: String) -> String {
            if case .notInFormat(_, _, let expected)? = refusal(name) { expected } else { "" }
        }
        #expect(expected("split4").hasSuffix("give one of them, such as \(folder.path("split4/1"))"))
        #expect(expected("bare").hasPrefix("wav.scp"))
        #expect(expected("feats.jsonl").hasSuffix("found features"))
    }

    @Test func `speakers of a Kaldi directory are those of utt2spk, or of spk2utt alone`() throws {
        try write(["wav.scp": "a a.wav\nb b.wav\n", "spk2utt": "s a\nt b\n", "spk2gender": "s f\nt m\n"])
        let manifest = try Dataset.open(ManifestInput(path: folder.url.path)).manifest
        #expect(manifest.extraColumns == ["speaker", "gender"] && manifest.account.isEmpty)
        #expect(try clips().map(\.extra) == [["s", "f"], ["t", "m"]])
        try write(["spk2utt": "s a b\nt b\n"])
        #expect(problems(refusal()).map(\.text) == ["'b' is an utterance of 's' already"])
        try write(["utt2spk": "a s\nb t x\n"])
        let found = problems(refusal())
        #expect(found.count == 1 && found[0].text == "expected UTTERANCE SPEAKER, found 3 fields")
    }

    @Test func `a value under the name of a known column that is given keeps another name`() throws {
        try write(["metadata.csv": "file_name,path,duration,id\na.wav,/old/a.wav,1.5,7\n"])
        let manifest = try Dataset.open(ManifestInput(path: folder.url.path)).manifest
        #expect(manifest.extraColumns == ["original_path"])
        let clip = try #require(clips().first)
        #expect(clip.id == "7" && clip.path == "a.wav" && clip.segment == Segment(length: 1.5))
        #expect(clip.extra == ["/old/a.wav"])
    }

    @Test func `the same clips have one checksum, from whichever format`() throws {
        try write([
            "metadata.csv": "file_name,label\na.wav,x\n", "m/metadata.jsonl": #"{"file_name": "a.wav", "label": "x"}"#,
        ])
        let sums = try ["metadata.csv", "m/metadata.jsonl"].map {
            try Dataset.open(ManifestInput(path: folder.path($0))).manifest.sha256
        }
        #expect(sums[0] == sums[1])
        try write(["m/metadata.jsonl": #"{"file_name": "a.wav", "label": "y"}"#])
        #expect(try Dataset.open(ManifestInput(path: folder.path("m/metadata.jsonl"))).manifest.sha256 != sums[0])
    }

    @Test func `columns are read as others`() throws {
        let map = ColumnMap([(.known(.label), "species"), (.known(.path), "file")])
        try write(["m.csv": "file,species,label,Start,end\na.wav,wren,7,1,2\n"])
        let clip = try #require(clips("m.csv", columns: map).first)
        #expect(clip.path == "a.wav" && clip.label == "wren" && clip.segment == Segment(start: 1, end: 2))
        #expect(clip.extra.isEmpty)
        // Two columns may be swapped.
        try write(["m.csv": "path,id,label\na.wav,x,y\n"])
        let swapped = try #require(
            clips("m.csv", columns: ColumnMap([(.known(.label), "id"), (.known(.id), "label")])).first)
        #expect(swapped.id == "y" && swapped.label == "x")
        #expect(
            refusal("m.csv", columns: ColumnMap([(.known(.label), "nothing")]))
                == .missingMappedColumn(
                    path: folder.path("m.csv"), name: "nothing", to: "label", columns: ["path", "id", "label"]))
    }

    @Test func `problems of several files are in one message, each with its file and line`() throws {
        try write([
            "wav.scp": "a a.wav\nb touch x |\n", "segments": "u a 0 1\nv c 0 1\nu a 1 2\nw a 2\nx b 0 1\n",
        ])
        let found = problems(refusal())
        let expected = [
            ("segments", 2, "wav.scp has no recording 'c'"),
            ("segments", 3, "the id 'u' is that of segments, line 1, already"),
            ("segments", 4, "expected UTTERANCE"), ("wav.scp", 2, "'touch x |' is a command"),
        ]
        #expect(found.count == expected.count)
        for (problem, (file, line, text)) in zip(found, expected) {
            #expect(problem.file.hasSuffix(file) && problem.line == line && problem.text.hasPrefix(text), "\(problem)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("x")), "the command was run")
    }

    @Test(arguments: DatasetFormat.allCases)
    func `a dataset in another format than it was said to be is refused`(format: DatasetFormat) throws {
        try write(["x.txt": "nothing\n"])
        #expect(refusal("x.txt", format: format) != nil && refusal("none", format: format) != nil)
    }

    @Test func `a table that is not what its format has is refused with the column that is missing`() throws {
        try write(["meta/esc50.csv": "filename,fold,target\na.wav,1,0\n"])
        let path = folder.path("meta/esc50.csv")
        #expect(
            refusal()
                == .missingColumn(
                    path: path, name: "category", format: "ESC-50", columns: ["filename", "fold", "target"]))
        try write(["meta/esc50.csv": "filename;category\na.wav;dog\n;cat\nb.wav\n"])
        let found = problems(refusal())
        #expect(found.map(\.line) == [3, 4])
        #expect(zip(found, ["filename is empty", "has 1 field"]).allSatisfy { $0.text.hasPrefix($1) }, "\(found)")
    }

    @Test func `relative paths start from the folder in which the first recording is`() throws {
        try write(["corpus/a.wav": "", "data/train/wav.scp": "a corpus/a.wav\n"])
        let dataset = try Dataset.open(ManifestInput(path: folder.path("data/train")))
        let location = Clip.location(of: "corpus/a.wav", root: dataset.root)
        #expect(FileManager.default.fileExists(atPath: location), "\(dataset.root)")
    }

    @Test func `a recording is a dataset of one clip, by its name or its first bytes`() throws {
        let header = Data("RIFF".utf8) + Data([36, 0, 0, 0]) + Data("WAVE".utf8)
        for name in ["call.mp3", "take", "talk.m4a"] {
            try header.write(to: folder.url.appending(path: name))
            let dataset = try Dataset.open(ManifestInput(path: folder.path(name)))
            #expect(dataset.root == folder.url.path && dataset.note == "\(folder.path(name)): read as a recording")
            let clip = try #require(try clips(name).first)
            #expect(clip.path == name && clip.id == name.prefix(4) && clip.label.isEmpty && clip.segment == nil)
        }
        #expect(try clips("call.mp3", format: .folder).count == 1)
        // Of other formats it is none, and a text that is compressed is no recording.
        for format in [DatasetFormat.kaldi, .esc50] { _ = refusal("call.mp3", format: format) }
        _ = refusal("none.wav")
    }
}
