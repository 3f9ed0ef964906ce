import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import DatasetFormats
@testable import Manifests

/// Files in the folder of a dataset that are not read are remarked, unless they hold nothing about a recording.
struct UnusedFilesTests {
    /// A small dataset of each format.
    private static let datasets: [DatasetFormat: [String: String]] = [
        .audioFolder: ["metadata.csv": "file_name,label\na.wav,x\n", "a.wav": "", "README.md": "", "picture.png": ""],
        .esc50: [
            "meta/esc50.csv": "filename,fold,target,category\na.wav,1,0,dog\n", "meta/esc50-human.xlsx": "",
            "audio/a.wav": "",
            "LICENSE": "", "requirements.txt": "",
        ],
        .urbanSound8K: [
            "metadata/UrbanSound8K.csv": "slice_file_name,fsID,fold,class\na.wav,1,1,dog\n", "audio/fold1/a.wav": "",
            "UrbanSound8K_README.txt": "",
        ],
        .commonVoice: [
            "train.tsv": "client_id\tpath\tsentence\nx\ta.mp3\thi\n",
            "validated.tsv": "client_id\tpath\tsentence\nx\ta.mp3\thi\n",
            "clips/a.mp3": "", "reported.tsv": "sentence\treason\n",
        ],
        .speechCommands: [
            "validation_list.txt": "", "testing_list.txt": "", "yes/a_nohash_0.wav": "", "_background_noise_/n.wav": "",
            "_background_noise_/README.md": "",
        ],
        .libriSpeech: [
            "dev-clean/1/2/1-2.trans.txt": "1-2-0000 A\n", "dev-clean/1/2/1-2-0000.flac": "",
            "SPEAKERS.TXT": "1 | F | dev\n",
            "BOOKS.TXT": "",
        ],
        .kaldi: [
            "wav.scp": "a a.wav\n", "text": "a hi\n", "utt2spk": "a s\n", "spk2utt": "s a\n",
            "feats.scp": "a x.ark:1\n",
        ],
        .lhotse: [
            "recordings.jsonl": recording("a"), "supervisions.jsonl": supervision("a"),
            "feats.jsonl": #"{"type": "fbank", "storage_type": "x"}"#,
        ],
        .folder: ["dog/a.wav": "", "README.md": "", "m.csv": "path,id,label\ndog/a.wav,a,dog\n", "notes.txt": "windy"],
    ]

    private static func recording(_ id: String) -> String {
        #"{"id": "\#(id)", "sources": [{"type": "file", "channels": [0], "source": "\#(id).wav"}], "sampling_rate": 8000}"#
            + "\n"
    }

    private static func supervision(_ id: String, _ more: String = "") -> String {
        #"{"id": "s\#(id)", "recording_id": "\#(id)", "start": 0, "duration": 1\#(more)}"# + "\n"
    }

    /// A remark by its kind and its names.
    struct Found: Equatable, Sendable {
        let kind: Remark.Kind
        let names: [String]

        init(_ kind: Remark.Kind, _ names: String...) { (self.kind, self.names) = (kind, names) }

        init(_ remark: Remark, in folder: String) {
            kind = remark.kind
            names = remark.first.map { $0.replacing(folder + "/", with: "") }
        }
    }

    /// What is said of a table of which only some clips have no other row, of metadata beside those that are read, and of others.
    private static let ofItsOwn = "(1 clip of its own)"
    private static let otherIsRead = "('metadata.csv' is read)"

    /// The remarks that reports show.
    private func remarks(_ files: [String: String]) throws -> [Found] {
        let folder = try TemporaryFolder()
        for (name, text) in files {
            let url = folder.url.appending(path: name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let account = try Dataset.open(ManifestInput(path: folder.url.path)).manifest.account
        return account.naming { $0.text { "\($0) \($1 ?? "")" } }.remarks.filter(\.kind.isShown).map {
            Found($0, in: folder.url.path)
        }
    }

    @Test(arguments: datasets.keys.sorted { $0.rawValue < $1.rawValue })
    func `a dataset all of whose files are read gives no remark`(format: DatasetFormat) throws {
        #expect(try remarks(Self.datasets[format] ?? [:]) == [])
    }

    @Test(
        arguments: [
            (.audioFolder, ["b.wav": ""], Found(.recordingsNotListed, "'b.wav'")),
            (.audioFolder, ["more/b.wav": ""], Found(.recordingsNotListed, "'more/b.wav'")),
            (.audioFolder, ["metadata.jsonl": "{}"], Found(.metadataUnread, "'metadata.jsonl' \(otherIsRead)")),
            (
                .audioFolder, ["metadata.parquet": "PAR1"],
                Found(.metadataUnread, "'metadata.parquet' \(otherIsRead)")
            ),
            (.audioFolder, ["speakers.csv": "speaker,age\n"], Found(.tablesUnclaimed, "'speakers.csv'")),
            (.audioFolder, ["take.pcm": ""], Found(.recordingsPassedOver, "'take.pcm'")),
            (.esc50, ["audio/b.wav": ""], Found(.recordingsNotListed, "'audio/b.wav'")),
            (.urbanSound8K, ["audio/fold2/b.wav": ""], Found(.recordingsNotListed, "'audio/fold2/b.wav'")),
            (
                .commonVoice, ["other.tsv": "client_id\tpath\tsentence\nx\tb.mp3\thi\n", "clips/b.mp3": ""],
                Found(.splitsChosen, "'other.tsv' \(ofItsOwn)")
            ),
            (
                .commonVoice, ["validated.tsv": "client_id\tpath\tsentence\nx\tb.mp3\thi\n", "clips/b.mp3": ""],
                Found(.splitsLeftOut, "'validated.tsv' \(ofItsOwn)")
            ),
            (
                .commonVoice,
                [
                    "validated.tsv": "client_id\tpath\tsentence\nx\tb.mp3\thi\n", "clips/b.mp3": "",
                    "dev.tsv": "client_id\tpath\tsentence\n", "test.tsv": "client_id\tpath\tsentence\n",
                ],
                Found(.splitsChosen, "'validated.tsv' \(ofItsOwn)")
            ),
            (.commonVoice, ["clips/b.mp3": ""], Found(.recordingsNotListed, "'clips/b.mp3'")),
            (.commonVoice, ["mine.tsv": "x\ty\n"], Found(.tablesUnclaimed, "'mine.tsv'")),
            (.speechCommands, ["speakers.csv": "speaker,age\n"], Found(.tablesUnclaimed, "'speakers.csv'")),
            (.speechCommands, ["yes/take.raw": ""], Found(.recordingsPassedOver, "'yes/take.raw'")),
            (.libriSpeech, ["noise/x.wav": ""], Found(.recordingsNotListed, "'noise/x.wav'")),
            (.libriSpeech, ["dev-clean/1/x.flac": ""], Found(.recordingsNotListed, "'dev-clean/1/x.flac'")),
            (.kaldi, ["text.txt": "a hi\n"], Found(.metadataUnread, "'text.txt'")),
            (.kaldi, ["rttm": "SPEAKER a 1 0 1\n"], Found(.metadataUnread, "'rttm'")),
            (.kaldi, ["spk2gender": "s f\nt m\n"], Found(.annotationsUnused, "'t'")),
            (.kaldi, ["text": "a hi\nghost hi\n"], Found(.annotationsUnused, "'ghost'")),
            (.kaldi, ["text": "a\n"], Found(.valuesMissing, "'a'")),
            (.kaldi, ["spk2gender": "s\n"], Found(.valuesMissing, "'a' (of 's')")),
            (.kaldi, ["spk2utt": "t a\n"], Found(.valuesDisagree, "'a' ('t', and 's' in utt2spk)")),
            (.kaldi, ["reco2dur": "q 3\n"], Found(.entriesWithoutRecording, "'q'")),
            (.kaldi, ["utt2dur": "a 3\nq 3\n"], Found(.annotationsUnused, "'q'")),
            (.lhotse, ["cuts.jsonl": "{}"], Found(.tablesUnclaimed, "'cuts.jsonl'")),
            (
                .lhotse, ["recordings.jsonl": recording("a") + recording("b")],
                Found(.recordingsWithoutAnnotations, "'b'")
            ),
            (
                .lhotse, ["supervisions.jsonl": supervision("a", #", "transcript": "hi""#)],
                Found(.columnsUnused, "'transcript' in line 1")
            ),
            (
                .lhotse,
                [
                    "supervisions.jsonl": supervision("a", #", "transcript": "hi""#)
                        + supervision("a", #", "transcript": "ho""#).replacing("sa", with: "sb")
                ],
                Found(.columnsUnused, "'transcript' in line 1 and 1 more")
            ),
            (
                .folder, ["labels.csv": "file,label\n"],
                Found(.tablesUnclaimed, "'labels.csv' (no row names a recording)")
            ),
            (.folder, ["mine.csv": "path,label\n"], Found(.tablesUnclaimed, "'mine.csv'")),
            (.folder, ["dog/a.txt": "a sentence"], Found(.metadataUnread, "'dog/a.txt'")),
            (.folder, ["dog/a.wav.json": "{}"], Found(.metadataUnread, "'dog/a.wav.json'")),
            (.folder, ["txt/a.txt": "a sentence"], Found(.metadataUnread, "'txt/a.txt'")),
            (.folder, ["dog/a.TextGrid": ""], Found(.tablesUnclaimed, "'dog/a.TextGrid'")),
            (.folder, ["more.rar": ""], Found(.recordingsPassedOver, "'more.rar' (an archive that is not read)")),
            (
                .folder, ["Selections/a.Table.1.selections.txt": ""],
                Found(.tablesUnclaimed, "'Selections/a.Table.1.selections.txt'")
            ),
        ] as [(DatasetFormat, [String: String], Found)])
    func `a file that is not used is remarked`(format: DatasetFormat, files: [String: String], remark: Found) throws {
        let dataset = (Self.datasets[format] ?? [:]).merging(files) { _, new in new }
        #expect(try remarks(dataset) == [remark])
    }

    @Test func `what a Kaldi directory lacks is counted in clips, for each table`() throws {
        let folder = try TemporaryFolder()
        let files = [
            "wav.scp": "a a.wav\nb b.wav\nc c.wav\n", "utt2spk": "a s\nb s\nc t\n", "spk2gender": "t f\n",
            "text": "c hi\n",
        ]
        for (name, text) in files { try Data(text.utf8).write(to: folder.url.appending(path: name)) }
        let account = try Dataset.open(ManifestInput(path: folder.url.path)).manifest.account
        #expect(account.remarks.map(\.source) == ["spk2gender", "text"])
        #expect(account.remarks.allSatisfy { $0.kind == .valuesMissing && $0.count == 2 })
    }

    @Test func `a table that is given walks no folder`() throws {
        let folder = try TemporaryFolder()
        try Data("file_name,label\na.wav,x\n".utf8).write(to: folder.url.appending(path: "metadata.csv"))
        try Data().write(to: folder.url.appending(path: "b.wav"))
        let dataset = try Dataset.open(ManifestInput(path: folder.path("metadata.csv")))
        #expect(dataset.manifest.account.isEmpty)
    }

    @Test func `folders of splits are splits next to another folder, and one split among labels is a label`() throws {
        #expect(
            try splits(["train/x/a.wav", "test/x/b.wav", "docs/x.wav"]) == [
                "docs/x": "", "test/x/b": "test", "train/x/a": "train",
            ])
        #expect(try splits(["train/a.wav", "bus/b.wav"]) == ["bus/b": "", "train/a": ""])
    }

    private func splits(_ files: [String]) throws -> [String: String] {
        let folder = try TemporaryFolder()
        for name in files {
            let url = folder.url.appending(path: name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url)
        }
        let reader = try Dataset.open(ManifestInput(path: folder.url.path)).manifest.reader()
        var splits: [String: String] = [:]
        while let clip = try reader.next() { splits[clip.id] = clip.split }
        return splits
    }

    @Test func `parts of a Kaldi recipe that are not named like splits are remarked; other folders are not`() throws {
        let files = ["train/wav.scp": "a a.wav\n", "eval2000/wav.scp": "b b.wav\n", "local/dict/lexicon.txt": "x y\n"]
        #expect(try remarks(files) == [Found(.splitsLeftOut, "'eval2000' (format kaldi reads it by itself)")])
    }

    @Test func `an alignment of a supervision counts from the start of its clip`() throws {
        let folder = try TemporaryFolder()
        let files = [
            "recordings.jsonl": Self.recording("a"),
            "supervisions.jsonl":
                #"{"id": "s", "recording_id": "a", "start": 1.3, "duration": 1, "alignment": {"word": [["hi", 1.4, 0.2, null]]}}"#,
        ]
        for (name, text) in files { try Data(text.utf8).write(to: folder.url.appending(path: name)) }
        let manifest = try Dataset.open(ManifestInput(path: folder.url.path)).manifest
        let clip = try #require(try manifest.reader().next())
        let values = Dictionary(uniqueKeysWithValues: zip(manifest.extraColumns, clip.extra))
        #expect(values["alignment"] == #"{"word":[["hi",0.1,0.2,null]]}"#)
    }

    @Test func `fields of a cut and of its supervisions are kept; what differs among supervisions is a list`() throws {
        let folder = try TemporaryFolder()
        let supervisions = [#"{"snr": 1, "who": "k"}"#, #"{"snr": 2, "who": "k"}"#].map {
            #"{"id": "s", "recording_id": "a", "start": 0, "duration": 1, "custom": \#($0)}"#
        }
        let cut =
            #"{"id": "c", "start": 0, "duration": 1, "channel": 0, "type": "MonoCut", "custom": {"shard": 3, "who": "m"}, "#
            + #""supervisions": [\#(supervisions.joined(separator: ","))], "recording": \#(Self.recording("a").dropLast())}"#
        try Data(cut.utf8).write(to: folder.url.appending(path: "cuts.jsonl"))
        let manifest = try Dataset.open(ManifestInput(path: folder.path("cuts.jsonl"))).manifest
        let clip = try #require(try manifest.reader().next())
        let values = Dictionary(uniqueKeysWithValues: zip(manifest.extraColumns, clip.extra))
        #expect(
            values["shard"] == "3" && values["who"] == "m" && values["supervision_who"] == "k"
                && values["snr"] == "[1,2]")
    }
}
