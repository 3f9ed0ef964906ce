import AudioDecoding
import ClipSpool
import ExtractionSupport
import FeatureModel
import Foundation
import Messages
import SignalProcessing
import Synchronization
import TestSupport
import Testing

@testable import DatasetExtraction

/// The traits of a machine that values depend on, and what is reported where they differ.
struct MachineTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func plan(
        fftLength: Int = 256, transform: TransformConfiguration? = nil, window: WindowFunction = .hann,
        scale: ScaleConfiguration = .standard, filter: DCTFilterConfiguration? = nil
    ) throws -> FeaturePlan {
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000), condition: ConditionConfiguration(dctFilter: filter),
            frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: fftLength, window: window),
            transform: transform ?? .mel(MelConfiguration(bins: 12, high: 4000)), scale: scale)
        return try FeaturePlan(configuration, sampleRate: 8000)
    }

    private static func traits(_ changes: [MachineTrait: String] = [:], loops: String = "avx2") -> MachineTraits {
        let texts = MachineTrait.allCases.map { ($0, "\($0.rawValue) 1") }
        return MachineTraits(
            loops: loops, texts: Dictionary(uniqueKeysWithValues: texts).merging(changes) { $1 })
    }

    private static func record(_ traits: MachineTraits, _ libraries: [DecodingLibrary] = []) -> MachineRecord {
        var record = MachineRecord()
        record.add(traits, libraries)
        return record
    }

    @Test func `a plain WAV and the program's own transform depend on the architecture alone`() throws {
        #expect(try MachineTrait.deciding(Self.plan(), decodedBy: []) == [.architecture])
        let raw = try Self.plan(
            transform: .raw, window: .rectangular, scale: ScaleConfiguration(kind: .linear))
        #expect(MachineTrait.deciding(raw, decodedBy: []) == [.architecture])
    }

    @Test(arguments: DecodingLibrary.allCases)
    func `a library matters that decoded, and no other`(library: DecodingLibrary) throws {
        let deciding = try MachineTrait.deciding(Self.plan(), decodedBy: [library])
        #expect(deciding.map(\.rawValue) == ["architecture", library.rawValue])
    }

    @Test func `FFTW matters only where it computes the transform`() throws {
        let filter = try DCTFilterConfiguration(mode: .bandPass, low: .hertz(300), high: .hertz(3000))
        let plain = try ScaleConfiguration(kind: .linear)
        for plan in [
            try Self.plan(fftLength: 514), try Self.plan(filter: filter),
            try Self.plan(transform: .dct(bins: nil, type: .four), scale: plain),
        ] {
            #expect(MachineTrait.deciding(plan, decodedBy: []) == [.architecture])
        }
        var transform = TransformConfiguration.dct(bins: nil)
        transform.engine = .fftw
        let plan = try Self.plan(transform: transform, scale: plain)
        #expect(MachineTrait.deciding(plan, decodedBy: []) == [.architecture, .fftw])
    }

    @Test func `the C library matters to PCEN`() throws {
        let plan = try Self.plan(scale: ScaleConfiguration(kind: .pcen))
        #expect(MachineTrait.deciding(plan, decodedBy: []) == [.architecture, .cLibrary])
    }

    @Test(arguments: MachineTrait.allCases)
    func `a trait is compared where it decides, and only there`(trait: MachineTrait) throws {
        let comparison = MachineComparison(try Self.plan(), here: Self.traits())
        let other = Self.traits([trait: "other"])
        let library = DecodingLibrary(rawValue: trait.rawValue)
        let found = comparison.differences(from: Self.record(other, library.map { [$0] } ?? []))
        let expected = MachineDifference.other(trait, there: "other", here: "\(trait.rawValue) 1")
        #expect(found == ([.fftw, .cLibrary].contains(trait) ? [] : [expected]))
        #expect(comparison.differences(from: Self.record(other)) == (trait == .architecture ? [expected] : []))
        #expect(comparison.differences(from: Self.record(Self.traits(loops: "sse2"), DecodingLibrary.allCases)) == [])
    }

    @Test func `each machine of a folder is compared with what it decoded itself`() throws {
        let comparison = MachineComparison(try Self.plan(), here: Self.traits())
        var record = Self.record(Self.traits([.mpg123: "other", .opus: "other"]), [.opus])
        record.add(Self.traits(), [.mpg123])
        let opus = MachineDifference.other(.opus, there: "other", here: "opus 1")
        #expect(comparison.differences(from: record) == [opus])
        record.add(Self.traits([.mpg123: "other", .opus: "other"]), [.mpg123])
        let mpg123 = MachineDifference.other(.mpg123, there: "other", here: "mpg123 1")
        #expect(comparison.differences(from: record) == [mpg123, opus])
        record.add(.unknown)
        #expect(comparison.differences(from: record) == [mpg123, opus, .unknown])
    }

    @Test func `this machine has a text for each trait, the same each time, and no other than itself`() throws {
        let here = MachineTraits.here(ffmpeg: "7.1")
        #expect(here == MachineTraits.here(ffmpeg: "7.1"))
        #expect(Set(here.texts.keys) == Set(MachineTrait.allCases) && !here.texts.values.contains(""))
        // They go into JSON that is put together by hand.
        #expect(!here.texts.values.contains { $0.contains { "\"\\\n".contains($0) } })
        #expect(MachineTraits.here(ffmpeg: nil).texts[.ffmpeg] == nil)
        let comparison = MachineComparison(try Self.plan(), here: here)
        #expect(comparison.differences(from: Self.record(here, DecodingLibrary.allCases)).isEmpty)
    }

    // MARK: Records

    @Test func `a record is read as it was written, in one form`() throws {
        var record = Self.record(Self.traits([.mpg123: "other"]), [.soxr, .mpg123])
        record.add(Self.traits(), [.libsndfile])
        record.add(Self.traits([.mpg123: "other"]), [.libsndfile])
        #expect(record.machines.map(\.libraries) == [[.libsndfile, .mpg123, .soxr], [.libsndfile]])
        #expect(MachineRecord(json: record.spoolText) == record)
        #expect(MachineRecord(json: record.spoolText)?.spoolText == record.spoolText)
        #expect(record.spoolText.contains(#""c_library" : "c_library 1""#))
        for text in ["", "[]", "{}", #"{"machines": [{}]}"#] { #expect(MachineRecord(json: text) == nil) }
        #expect(MachineRecord(json: MachineRecord.unknown.spoolText) == .unknown)
    }

    @Test func `a library is on the disk before the note returns, from whatever thread`() async throws {
        let spool = try Spool(folder: folder.path("spool"))
        try spool.start(identity: "{}", machines: Self.record(Self.traits()).spoolText)
        let log = MachineLog(spool, record: Self.record(Self.traits()), here: Self.traits())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let library = DecodingLibrary.allCases[number % DecodingLibrary.allCases.count]
                    try log.note([library])
                    let text = try #require(try SpoolNote.machines.text(in: spool.folder))
                    #expect(MachineRecord(json: text)?.machines.first?.libraries.contains(library) == true)
                }
            }
            try await group.waitForAll()
        }
        let status = try #require(
            FileManager.default.attributesOfItem(atPath: folder.path("spool/machine.json"))[.systemFileNumber] as? Int)
        try log.note([.mpg123])
        try log.note([Self.record(Self.traits(), [.opus])])
        #expect(
            try FileManager.default.attributesOfItem(atPath: folder.path("spool/machine.json"))[.systemFileNumber]
                as? Int == status)
        try spool.remove()
        #expect(!FileManager.default.fileExists(atPath: folder.path("spool")))
    }

    @Test func `a folder without a record is of an unknown machine, unless its clips do not count`() throws {
        var comparison = MachineComparison(try Self.plan(), here: Self.traits())
        let spool = try Spool(folder: folder.path("spool"))
        #expect(try comparison.record(of: spool.folder) == MachineRecord())
        try spool.start(identity: "{}")
        #expect(try comparison.record(of: spool.folder) == .unknown)
        #expect(
            try comparison.others(among: [spool.folder]) == [
                OtherMachine(folder: spool.folder, differences: [.unknown])
            ])
        try spool.start(identity: "{}", machines: "not a record")
        #expect(try comparison.record(of: spool.folder) == .unknown)
        let record = Self.record(Self.traits(), [.opus])
        try spool.write(record.spoolText, to: .machines)
        #expect(try comparison.record(of: spool.folder) == record)
        #expect(try comparison.others(among: [spool.folder]).isEmpty)
    }

    // MARK: Words

    private static let decoded = MachineDifference.other(.mpg123, there: "mpg123 for AVX", here: "mpg123 for SSE")

    @Test func `a file's text about its machines does not depend on the order of shards`() throws {
        let fftw = MachineDifference.other(.fftw, there: "FFTW 3", here: "FFTW 4")
        let others = [[Self.decoded], [fftw, .unknown], [Self.decoded, fftw]].map {
            OtherMachine(folder: "", differences: $0)
        }
        let expected = "mpg123 for AVX beside mpg123 for SSE; FFTW 3 beside FFTW 4; an unknown machine"
        #expect(OtherMachine.mixture(of: others) == expected)
        #expect(OtherMachine.mixture(of: others.reversed()) == expected)
        #expect(OtherMachine.mixture(of: []) == nil)
        let (plan, text) = (try Self.plan(), SoftwareVersions.json(try Self.plan(), mixed: expected))
        #expect(SoftwareVersions.mixture(in: text) == expected)
        #expect(SoftwareVersions.mixture(in: SoftwareVersions.json(plan)) == nil)
        #expect(SoftwareVersions.differences(from: text, to: SoftwareVersions.json(plan), .libraries).isEmpty)
    }

    @Test func `of a shard, the identity holds this program's version and not those of libraries`() {
        let before = #"{"veery":"1","libsndfile":"1","transform":"lanes 1"}"#
        func difference(_ now: String) -> Difference? {
            SoftwareVersions.differences(from: before, to: now, .program).first
        }
        #expect(difference(#"{"veery":"1","libsndfile":"2","hdf5":"1","transform":"lanes 1"}"#) == nil)
        #expect(
            difference(#"{"veery":"2","libsndfile":"1","transform":"lanes 1"}"#)
                == .version(of: "veery", before: "1", now: "2"))
        #expect(difference(#"{"veery":"1"}"#) == .transform(before: "lanes 1", now: nil))
        #expect(difference("{}") == .version(of: "veery", before: "1", now: "unknown"))
    }
}
