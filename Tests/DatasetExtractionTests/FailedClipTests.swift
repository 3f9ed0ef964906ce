import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import Messages
import TestSupport
import Testing

@testable import DatasetExtraction

struct FailedClipTests {
    private let fixture: ExtractionFixture

    init() throws { fixture = try ExtractionFixture() }

    @Test(.timeLimit(.minutes(5)))
    func `clips that fail are rows of failures with step and reason, and the others are as without them`() throws {
        try fixture.record("good.wav", samples: 4000, channels: 2, seed: 1)
        try fixture.record("other.wav", samples: 3000, seed: 2)
        try fixture.record("none.wav", samples: 0)
        try fixture.record("short.wav", samples: 255)
        try Data().write(to: fixture.folder.url.appending(path: "empty.wav"))
        _ = try fixture.folder.write("this is no recording\n", to: "text.wav")
        try FileManager.default.createDirectory(
            at: fixture.folder.url.appending(path: "folder.wav"), withIntermediateDirectories: false)
        #expect(mkfifo(fixture.folder.path("pipe.wav"), 0o600) == 0)
        for (name, value) in [("nan.wav", Float.nan), ("infinite.wav", -.infinity)] {
            var samples = [Float](repeating: 0.25, count: 20_000)
            samples[17_001] = value
            try fixture.folder.writeWave([samples], sampleRate: 8000, encoding: .float32, to: name)
        }
        let file = try fixture.extract(
            """
            id,path,start,end,channel
            first,good.wav,,,
            missing,gone.wav,,,
            empty,empty.wav,,,
            text,text.wav,,,
            folder,folder.wav,,,
            middle,other.wav,,,
            pipe,pipe.wav,,,
            none,none.wav,,,
            nan,nan.wav,,,
            infinite,infinite.wav,,,
            short,short.wav,,,
            late,other.wav,0.1,0.5,
            later,other.wav,9,9.5,
            channel,good.wav,,,2
            last,good.wav,0.25,,1
            """)
        let failures = try file.allFailures()
        let expected: [(id: String, failure: ClipFailure)] = [
            ("missing", .cannotOpen(ClipFailureTable.gone)), ("empty", .isEmptyFile),
            ("text", .foreign(.text("this is no recording"))), ("folder", .isFolder), ("pipe", .isNotRegularFile),
            ("none", .noSamples), ("nan", .nonFiniteSample(.init(.nan), frame: 17_001)),
            ("infinite", .nonFiniteSample(.init(-.infinity), frame: 17_001)),
            ("short", .tooShort(minimum: 256, sampleRate: 8000, found: 255)),
            ("late", .segmentEndsLate(end: 0.5, length: 0.375)),
            ("later", .segmentStartsLate(start: 9, length: 0.375, likely: .milliseconds)),
            ("channel", .noSuchChannel(channel: 2, channels: 2)),
        ]
        #expect(failures.map(\.id) == expected.map(\.id))
        for (failure, (id, expected)) in zip(failures, expected) {
            #expect(failure.failure == FailureRecord(expected), "\(id)")
        }
        #expect(failures.first?.path == "gone.wav")

        let alone = try fixture.extract(
            "id,path,start,channel\nfirst,good.wav,,\nmiddle,other.wav,,\nlast,good.wav,0.25,1\n", output: "alone.h5")
        #expect(try file.allClips() == alone.allClips())
        #expect(try file.rows(0..<file.rows) == alone.rows(0..<alone.rows))
        #expect(file.statistics == alone.statistics)
        #expect(try file.verify().isEmpty)
    }

    @Test(arguments: [NormalizeConfiguration.Scope.none, .dataset])
    func `a clip that the stored type cannot hold fails with its first value out of range`(
        scope: NormalizeConfiguration.Scope
    ) throws {
        try fixture.record("loud.wav", samples: 9000, seed: 1)
        try fixture.record("quiet.wav", samples: 9000, seed: 2, gain: 0.001)
        let manifest = "path,split\nloud.wav,test\nquiet.wav,train\n"
        func extract(_ element: StoreConfiguration.Element) throws -> FeatureReader {
            try fixture.extract(
                manifest,
                FeatureConfiguration(
                    audio: AudioConfiguration(sampleRate: 8000, scale: .int16),
                    frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: 256),
                    transform: .mel(MelConfiguration(bins: 12, high: 4000)), scale: ScaleConfiguration(kind: .power),
                    normalize: NormalizeConfiguration(scope: scope, fit: "train"),
                    store: StoreConfiguration(element: element)),
                output: "\(element).h5")
        }
        let (half, whole) = (try extract(.float16), try extract(.float32))
        // The minimum and the maximum of each bin, as a float32 file stores them.
        let (rows, bins) = (try whole.features(id: "loud"), whole.bins)
        let columns = (0..<bins).map { bin in stride(from: bin, to: rows.count, by: bins).map { rows[$0] } }
        let extremes = columns.map { $0.min() ?? 0 } + columns.map { $0.max() ?? 0 }
        let index = try #require(extremes.firstIndex { abs($0) >= 65_520 })
        let expected = ClipFailure.valueOutOfRange(
            limit: 65_504, found: extremes[index], bin: index % bins, isNormalized: scope != .none)
        #expect(try half.allFailures().map(\.failure) == [FailureRecord(expected)])
        #expect(try half.allClips().map(\.id) == ["quiet"])
    }

    @Test func `a clip that fails late does not leave its rows in the statistics`() throws {
        try fixture.record("good.wav", seed: 1)
        var samples = [Float](repeating: 0.9, count: 900_000)
        samples[899_999] = .nan
        try fixture.folder.writeWave([samples], sampleRate: 8000, encoding: .float32, to: "late.wav")
        let file = try fixture.extract("path\nlate.wav\ngood.wav\n", jobs: 1)
        let alone = try fixture.extract("path\ngood.wav\n", output: "alone.h5")
        #expect(file.failureCount == 1 && file.statistics == alone.statistics)
        #expect(try file.rows(0..<file.rows) == alone.rows(0..<alone.rows))
    }

    @Test func `a recording at another rate than the first fails where none is configured, naming both`() throws {
        try fixture.record("first.wav", rate: 8000)
        try fixture.record("other.wav", rate: 11_025)
        let file = try fixture.extract(
            "path\ngone.wav\nfirst.wav\nother.wav\n", ExtractionFixture.configuration(rate: nil))
        #expect(try file.allClips().map(\.path) == ["first.wav"])
        let failure = try #require(try file.allFailures().last?.failure)
        #expect(failure == FailureRecord(.otherRate(expected: 8000, found: 11_025, than: .clip)))
    }

    @Test func `no recording that opens, and no configured rate, is an error that names the first`() throws {
        for name in ["a.wav", "b.wav"] { try Data("noise".utf8).write(to: URL(filePath: fixture.folder.path(name))) }
        let error = #expect(throws: ExtractionError.self) {
            try fixture.extraction("path\na.wav\nb.wav\n", ExtractionFixture.configuration(rate: nil))
        }
        guard case .noSampleRate(fixture.folder.path("manifest.csv"), 2, _?, "a.wav") = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [8000, nil]) func `recordings that are all missing are an error that names the first`(rate: Int?)
        throws
    {
        let error = #expect(throws: ExtractionError.self) {
            try fixture.extraction("path\na.wav\nb.wav\n", ExtractionFixture.configuration(rate: rate)).run()
        }
        #expect(
            error
                == .noRecordingExists(
                    manifest: fixture.folder.path("manifest.csv"), count: 2, path: "a.wav",
                    root: fixture.folder.url.path,
                    nil))
        #expect(try fixture.leftovers().isEmpty)
    }

    @Test func `where every clip fails and nothing is normalised, the file holds all failures`() throws {
        try Data("noise".utf8).write(to: URL(filePath: fixture.folder.path("a.wav")))
        let file = try fixture.extract("id,path,label\na,a.wav,x\nb,b.wav,y\n")
        #expect(file.clipCount == 0 && file.rows == 0 && file.bins == 12 && file.labels == ["x", "y"])
        #expect(try file.allFailures().map(\.id) == ["a", "b"])
        #expect(try file.verify().isEmpty)
    }

    @Test func `a fit split that the manifest does not have is an error that names those it has`() throws {
        let configuration = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(fit: "trian"))
        let error = #expect(throws: ExtractionError.self) {
            try fixture.extraction("path,split\na.wav,train\nb.wav,test\nc.wav,\n", configuration)
        }
        func noSuchSplit(_ known: [String]) -> ExtractionError {
            .noSuchSplit(name: "trian", manifest: fixture.folder.path("manifest.csv"), known: known)
        }
        #expect(error == noSuchSplit(["train", "test"]))
        let none = #expect(throws: ExtractionError.self) {
            try fixture.extraction("path,split\na.wav,\n", configuration)
        }
        #expect(none == noSuchSplit([]))
    }

    @Test func `a fit split all of whose clips fail is an error, and another split needs no clip read again`() throws {
        try fixture.record("good.wav")
        let manifest = "path,split\ngood.wav,test\ngone.wav,train\n"
        let train = try ExtractionFixture.configuration(normalize: NormalizeConfiguration())
        let error = #expect(throws: StoppedExtraction.self) { try fixture.extraction(manifest, train).run() }
        #expect(
            error?.cause as? ExtractionError
                == .emptySplit(
                    name: "train", manifest: fixture.folder.path("manifest.csv"),
                    firstFailure: "gone.wav (gone): \(ClipFailure.cannotOpen(ClipFailureTable.gone))"))
        #expect(try fixture.leftovers() == ["features.h5.spool"])
        let test = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(fit: "test"))
        #expect(try fixture.extraction(manifest, test).run().resumedClips == 1)
        #expect(try fixture.leftovers() == ["features.h5"])
    }
}
