import FeatureModel
import FileIO
import Foundation
import Messages
import TestSupport
import Testing

@testable import Manifests

struct ManifestTests {
    @Test func `the format follows the extension in any case`() {
        let expected: [(String, ManifestFormat?)] = [
            ("a.csv", .csv), ("A.CSV", .csv), ("a.tsv", .tsv), ("a.tab", .tsv), ("a.jsonl", .jsonLines),
            ("x.y/a.NdJson", .jsonLines), ("a.txt", nil), ("csv", nil), ("a.csv/b", nil),
        ]
        for (path, format) in expected { #expect(ManifestFormat(path: path) == format, "\(path)") }
    }

    @Test func `a column's name is that of its case`() {
        let renamed: [ManifestColumn: String] = [
            .overshoot: "max_overshoot", .recordingDuration: "recording.duration",
            .recordingSamples: "recording.num_samples", .recordingRate: "recording.sampling_rate",
        ]
        for column in ManifestColumn.allCases { #expect(column.name == renamed[column] ?? "\(column)") }
    }

    @Test func `quotation marks are understood as asked, where the format leaves a choice`() {
        #expect(ManifestFormat.tsv.quoted(by: .csv) == .quotedTSV && ManifestFormat.tsv.quoted(by: .literal) == .tsv)
        #expect(ManifestFormat.csv.quoted(by: .csv) == .csv && ManifestFormat.csv.quoted(by: .literal) == nil)
        #expect(ManifestFormat.jsonLines.quoted(by: .csv) == nil && ManifestFormat(path: "m.tsv") == .tsv)
    }

    @Test(
        arguments: [
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4], "compressed by xz", "unxz"),
            ([0x50, 0x4B, 3, 4, 20], "ZIP archive or an Excel", "CSV"),
            (Array("fLaC".utf8) + [0, 0, 0, 34], "a recording", "veery clips"),
            (Array("RIFF".utf8) + [36, 0, 0, 0], "a recording", "veery clips"),
            ([0x89] + Array("HDF\r\n".utf8) + [0x1A, 10], "an HDF5 file", "veery inspect"),
            ([0xFF, 0xFE, 0, 0] + Array("p\0\0\0".utf8), "UTF-32", "iconv"),
            (Array("PAR1\u{15}".utf8), "Parquet", "CSV"),
        ] as [([UInt8], String, String)])
    func `a file that is not a manifest is named as what it is`(bytes: [UInt8], name: String, advice: String) throws {
        for format in ManifestFormat.allCases {
            let error = #expect(throws: ManifestError.self) { try scan(bytes: bytes, format) }
            let text = "\(try #require(error))"
            #expect(text.contains("is \(name)") || text.contains("is a \(name)"), "\(text)")
            #expect(text.contains(advice) && !text.contains("line 1"), "\(text)")
        }
    }

    @Test(arguments: ["RIFF,path\nx,a\n", "BZh9,path\nx,a\n", "PK,path\nx,a\n"])
    func `a text that begins like another file is a manifest`(text: String) throws {
        #expect(try scan(text).clipCount == 1)
    }

    @Test func `a scan tells the columns, labels, splits, widths and the file's checksum`() throws {
        let text =
            "label,path,note,split,other\nbär,ü.wav,,train,123\nzebra,b.wav,x,test,\n,c.wav,yy,train,\n,d.wav,,,\n"
        let manifest = try scan(text)
        #expect(manifest.clipCount == 4)
        #expect(manifest.extraColumns == ["note", "other"])
        #expect(manifest.hasLabelColumn && manifest.hasSplitColumn)
        #expect(manifest.labels == ["bär", "zebra"])
        #expect(manifest.splits.map(\.name) == ["train", "test"])
        #expect(manifest.splits.map(\.clipCount) == [2, 1])
        #expect(manifest.widths == TextWidths(id: 2, path: 6, label: 5, split: 5, extra: [2, 3]))
        #expect(manifest.byteCount == text.utf8.count)
        var hash = SHA256Hash()
        Array(text.utf8).withUnsafeBytes { hash.update($0) }
        #expect(manifest.sha256 == hash.finish())
        #expect(try clips(text).map(\.index) == [0, 1, 2, 3])
    }

    /// Origin: Python 3.11, `sorted(["é", "e\u0301", "z", "Z", "", "ﬀ", "🐦", "\ue000", "a b", "a"])` without "".
    @Test func `labels are sorted as Python sorts them, and equal only if their bytes are`() throws {
        let labels = ["é", "e\u{301}", "z", "Z", "ﬀ", "🐦", "\u{E000}", "a b", "a", "z", "a"]
        let manifest = try scan("path,label\n" + labels.enumerated().map { "\($0).wav,\($1)\n" }.joined())
        let expected = ["Z", "a", "a b", "e\u{301}", "z", "é", "\u{E000}", "ﬀ", "🐦"]
        #expect(manifest.labels.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
        for (index, label) in expected.enumerated() { #expect(manifest.labelIndex(of: label) == index) }
        #expect(manifest.labelIndex(of: "b") == nil && manifest.labelIndex(of: "") == nil)
    }

    @Test func `ids that come twice are refused with both lines, given or not`() {
        let found = problems("path,id\na.wav,\nb.wav,a\nc.wav,\"x\ny\"\nd.wav,\nc.flac,c\ne.wav,a\n")
        #expect(found.map(\.line) == [3, 8])
        #expect(found.allSatisfy { $0.text.hasPrefix(RowSentence.repeatedID("a", line: 2)) })
        let paths = problems("path,label\na.wav,robin\na.wav,wren\n")
        #expect(paths.map(\.line) == [3])
        #expect(paths.first?.text.contains("give the clips different ids in a column 'id'") == true)
        #expect(problems("path,start\na.wav,0\na.wav,1\na.wav,0\n").map(\.line) == [4])
    }

    @Test func `ids that Unicode calls equivalent are two ids`() throws {
        #expect(try scan("path,id\na,é\nb,e\u{301}\n").clipCount == 2)
    }

    @Test func `ids that only share a hash are not refused, and true repetitions among them are found`() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<50).map { "\($0).wav\n" }.joined()
        let good = try folder.write("path\n" + rows, to: "good.csv")
        #expect(try scanWithPoorHash(good).clipCount == 50)
        let bad = try folder.write("path\n" + rows + "7.wav\n", to: "bad.csv")
        let error = #expect(throws: ManifestError.self) { try scanWithPoorHash(bad) }
        guard case .invalidRows(_, let problems, let total) = error else {
            Issue.record("expected invalid rows")
            return
        }
        #expect(total == 1 && problems.first?.line == 52)
        #expect(problems.first?.text.description.hasPrefix(RowSentence.repeatedID("7", line: 9)) == true)
    }

    /// Scans with a hash that most ids share: their length.
    private func scanWithPoorHash(_ path: String) throws -> Manifest {
        var scanner = try ManifestScanner(ManifestInput(path: path), format: .csv) { UInt64($0.count) }
        return try scanner.scan()
    }

    @Test func `all repetitions are counted, those that are not looked at again too`() throws {
        let rows = (0..<3000).map { "\($0).wav\n" }.joined()
        guard case .invalidRows(_, let problems, let total) = try #require(refusal("path\n" + rows + rows)) else {
            Issue.record("expected invalid rows")
            return
        }
        #expect(total == 3000 && problems.count == 1000)
    }

    @Test func `a set of hashes finds exactly what was added`() {
        var random = RandomSource(seed: 7)
        var set = HashSet64()
        let hashes = (0..<20_000).map { _ in random.next() } + [0, .max]
        for hash in hashes {
            let isNew = set.insert(hash)
            #expect(isNew)
        }
        for hash in hashes {
            let isNew = set.insert(hash)
            #expect(!isNew && set.contains(hash))
        }
        for _ in 0..<1000 { #expect(!set.contains(random.next())) }
        #expect(set.count == hashes.count)
    }

    @Test func `a path that is not a regular file is refused with a reason`() throws {
        let folder = try TemporaryFolder()
        let fifo = folder.path("fifo.csv")
        #expect(mkfifo(fifo, 0o600) == 0)
        let expected: [(String, ManifestError)] = [
            (folder.path("no.csv"), .notFound(path: folder.path("no.csv"))),
            (folder.url.path, .isFolder(path: folder.url.path)), (fifo, .notRegularFile(path: fifo, kind: "a pipe")),
            ("/dev/null", .notRegularFile(path: "/dev/null", kind: "a device")),
        ]
        for (path, error) in expected {
            #expect(throws: error) { try Manifest.scan(path: path, format: .csv) }
        }
    }

    @Test(arguments: [
        "path,label\na.wav,x\nb.wav,z\n", "path,label\na.wav,x\nb.wav,y\nc.wav,y\n", "path,label\na.wav,x\n",
        "path,label\na.wav,x\nb.wav\n", "path,note\na.wav,x\nb.wav,y\n", "path,label\na.wav,x\nb.wav,y\n\n",
    ])
    func `a file that changes between scan and reading is noticed`(text: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("path,label\na.wav,x\nb.wav,y\n", to: "m.csv")
        let manifest = try Manifest.scan(path: path, format: .csv)
        _ = try folder.write(text, to: "m.csv")
        #expect {
            try allClips(manifest)
        } throws: { error in
            if case ManifestError.changedWhileReading = error { true } else { false }
        }
    }

    @Test func `a reader knows the checksum of what it read once it is at the end`() throws {
        let folder = try TemporaryFolder()
        let manifest = try Manifest.scan(path: folder.write("path\na.wav\n", to: "m.csv"), format: .csv)
        let reader = try ManifestReader(manifest)
        #expect(try reader.next()?.id == "a")
        #expect(reader.sha256 == nil)
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
        #expect(reader.sha256 == manifest.sha256)
    }

    @Test func `the schema of a row names the columns that the code knows`() throws {
        let url = Fixtures.repository.appending(path: "Schemas/manifest-row.schema.json")
        let schema = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        #expect(Set(properties.keys) == Set(ManifestColumn.allCases.map(\.name) + [LabelList.column]))
        #expect(schema["required"] as? [String] == [ManifestColumn.path.name])
        #expect(properties["channel"]?["minimum"] as? Int == ChannelName.allowed.lowerBound)
        #expect(properties["channel"]?["maximum"] as? Int == ChannelName.allowed.upperBound)
    }

    @Test(
        .needsCollection,
        arguments: [
            ("labels_quoted", nil), ("labels_missing_file", nil), ("labels_parent_path", nil),
            ("labels_ragged", [2, 3]), ("labels_latin1", nil), ("labels_duplicate_conflict", [3]),
        ] as [(String, [Int]?)])
    func `the collection's awkward label files are read, or refused with their line`(name: String, lines: [Int]?) throws
    {
        let shared = try Fixtures.collection()
        let bytes = try Data(contentsOf: shared.appending(path: "broken/labels/\(name).csv"))
        // Its column of paths is called `file`.
        let renamed = Array("path".utf8) + bytes.dropFirst(4)
        if let lines {
            #expect(problems(bytes: renamed).map(\.line) == lines)
        } else {
            #expect(try scan(bytes: renamed).clipCount == 1)
        }
    }
}
