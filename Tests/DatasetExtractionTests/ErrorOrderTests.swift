import ClipSpool
import DatasetExtraction
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

/// Which error is reported where several things are wrong at once.
struct ErrorOrderTests {
    private let fixture: ExtractionFixture
    private static let manifest = "id,path\n" + (0..<8).map { "\($0),\($0 % 4).wav\n" }.joined()
    private static let grown = manifest + "new,4.wav\n"

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<5 { try fixture.record("\(number).wav", samples: 5000 + 400 * number, seed: number) }
    }

    enum Pair: CaseIterable, Sendable {
        case spoolOfOtherRunAndOtherOutput, missingRecordingsAndChangedConfiguration, missingRecordingsAndForeignFile
        case spoolOfOtherRunAndUpToDateOutput, shardsOfOtherRunAndUpToDateOutput, shardsAndSpoolOfOtherRun
        case clipsElsewhereAndOtherOutput, liveRecordingAndOtherOutput, heldAndOtherOutput
        case outputIsFolderAndSpoolOfOtherRun
        case appendChangedSettingsAndMissingClip, appendSpoolOfOtherRunAndChangedSettings
        case appendSpoolOfOtherRunAndStaleClips, appendMissingRecordingsAndStaleClips, appendMissingClipAndStaleClips
        case appendOverShards, appendDamageAndChangedSettings
        case syncSpoolOfOtherRunAndChangedSettings, syncDamageAndChangedSettings, syncOverShards
        case shardsOfOtherNumberAndOtherRun, shardOfOtherNumberAndOtherOutput
        case fileWithoutShardsAndOtherFile, fileWithoutShardsAndOtherSet, fileStaleShardsAndOtherFile

        /// The case of the error; nil: there is none.
        var wins: String? {
            switch self {
            case .shardsOfOtherRunAndUpToDateOutput: nil
            case .spoolOfOtherRunAndOtherOutput, .missingRecordingsAndChangedConfiguration,
                .spoolOfOtherRunAndUpToDateOutput, .shardsAndSpoolOfOtherRun, .appendSpoolOfOtherRunAndStaleClips,
                .appendOverShards, .syncOverShards:
                "otherRun"
            case .missingRecordingsAndForeignFile, .appendMissingRecordingsAndStaleClips: "missingRecordings"
            case .clipsElsewhereAndOtherOutput: "clipsElsewhere"
            case .liveRecordingAndOtherOutput: "interruptedRecording"
            case .heldAndOtherOutput: "busy"
            case .outputIsFolderAndSpoolOfOtherRun: "unusableName"
            case .appendChangedSettingsAndMissingClip, .appendSpoolOfOtherRunAndChangedSettings,
                .appendMissingClipAndStaleClips:
                "cannotAppend"
            case .syncSpoolOfOtherRunAndChangedSettings: "cannotSync"
            case .appendDamageAndChangedSettings, .syncDamageAndChangedSettings: "damaged"
            case .shardsOfOtherNumberAndOtherRun: "otherShards"
            case .shardOfOtherNumberAndOtherOutput, .fileWithoutShardsAndOtherSet, .fileStaleShardsAndOtherFile:
                "outputExists"
            case .fileWithoutShardsAndOtherFile: "missingShards"
            }
        }
    }

    /// Another configuration: no clip of it is of use.
    private func other() throws -> FeatureConfiguration { try ExtractionFixture.configuration(bins: 13) }

    /// Leaves all clips of a run of another configuration in the folder beside the output.
    private func leaveOtherRun() throws { try fixture.stopBeforeAssembly(fixture.extraction(Self.manifest, other())) }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: fixture.folder.path(name))
    }

    /// Does something while the output does not exist.
    private func withoutOutput(_ name: String = "features.h5", _ body: () throws -> Void) throws {
        try FileManager.default.moveItem(atPath: fixture.folder.path(name), toPath: fixture.folder.path("aside"))
        try body()
        try FileManager.default.moveItem(atPath: fixture.folder.path("aside"), toPath: fixture.folder.path(name))
    }

    private func replaceRecording() throws { try fixture.record("1.wav", samples: 7000, seed: 9) }

    /// Damages what a file says of itself.
    private func damageOutput() throws {
        let reader = try FeatureReader(path: fixture.folder.path("features.h5"))
        let pattern = withUnsafeBytes(of: reader.statistics.mean[3].bitPattern.littleEndian) { Data($0) }
        var bytes = try fixture.bytes("features.h5")
        bytes[try #require(bytes.range(of: pattern)).lowerBound + 6] ^= 1
        try RawFile.write(bytes, to: fixture.folder.path("features.h5"))
    }

    /// Brings both errors about; returns the run that meets them.
    private func prepare(_ pair: Pair) throws -> () throws -> Void {
        let (manifest, grown, other) = (Self.manifest, Self.grown, try other())
        let plain = try fixture.extraction(manifest)
        let append = { [fixture] in _ = try fixture.extraction(grown, append: true).run() }
        let sync = { [fixture] in _ = try fixture.extraction(grown, sync: true).run() }
        let run = { [fixture] in _ = try fixture.extraction(manifest).run() }
        let first = { [fixture] in
            _ = try fixture.extraction(manifest).with { $0.files = 2 }.run(
                try #require(SetMember(number: 1, count: 2)))
        }
        switch pair {
        case .spoolOfOtherRunAndOtherOutput:
            _ = try fixture.extraction(grown).run()
            try withoutOutput { try leaveOtherRun() }
            return run
        case .missingRecordingsAndChangedConfiguration:
            try leaveOtherRun()
            try remove("1.wav")
            return run
        case .missingRecordingsAndForeignFile:
            try fixture.stopBeforeAssembly(plain)
            try remove("1.wav")
            _ = try fixture.folder.write("notes", to: "features.h5")
            return run
        case .spoolOfOtherRunAndUpToDateOutput:
            _ = try plain.run()
            try withoutOutput { try leaveOtherRun() }
            return run
        case .shardsOfOtherRunAndUpToDateOutput:
            _ = try plain.run()
            try withoutOutput { try fixture.computeShards(2, of: fixture.extraction(manifest, other)) }
            return run
        case .shardsAndSpoolOfOtherRun:
            try leaveOtherRun()
            try fixture.computeShards(2, of: fixture.extraction(manifest, other))
            return run
        case .clipsElsewhereAndOtherOutput:
            _ = try fixture.extraction(manifest, other).run()
            try FileManager.default.createDirectory(
                atPath: fixture.folder.path("scratch"), withIntermediateDirectories: false)
            try withoutOutput {
                try fixture.stopBeforeAssembly(
                    fixture.extraction(manifest, scratch: fixture.folder.path("scratch")))
            }
            return run
        case .liveRecordingAndOtherOutput:
            _ = try fixture.extraction(manifest, other).run()
            let spool = fixture.folder.path("features.h5.spool")
            try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: false)
            for name in ["lock", "live.json", "clips-0.spool"] { try RawFile.write(Data([1]), to: spool + "/" + name) }
            return run
        case .heldAndOtherOutput:
            _ = try fixture.extraction(manifest, other).run()
            let held = try Spool(folder: fixture.folder.path("features.h5.spool"))
            return {
                defer { held.unlock() }
                try run()
            }
        case .outputIsFolderAndSpoolOfOtherRun:
            try leaveOtherRun()
            try FileManager.default.createDirectory(
                atPath: fixture.folder.path("features.h5"), withIntermediateDirectories: false)
            return run
        case .appendChangedSettingsAndMissingClip:
            _ = try fixture.extraction(manifest, other).run()
            return { [fixture] in _ = try fixture.extraction("id,path\n0,0.wav\n", append: true).run() }
        case .appendSpoolOfOtherRunAndChangedSettings, .syncSpoolOfOtherRunAndChangedSettings:
            _ = try fixture.extraction(manifest, other).run()
            try withoutOutput { try fixture.stopBeforeAssembly(fixture.extraction(manifest, other)) }
            return pair == .syncSpoolOfOtherRunAndChangedSettings ? sync : append
        case .appendSpoolOfOtherRunAndStaleClips:
            _ = try plain.run()
            try withoutOutput { try leaveOtherRun() }
            try replaceRecording()
            return append
        case .appendMissingRecordingsAndStaleClips:
            _ = try plain.run()
            try fixture.stopBeforeAssembly(fixture.extraction(grown, append: true))
            try remove("4.wav")
            try replaceRecording()
            return append
        case .appendMissingClipAndStaleClips:
            _ = try plain.run()
            try replaceRecording()
            return { [fixture] in _ = try fixture.extraction("id,path\n1,1.wav\nx,0.wav\n", append: true).run() }
        case .appendOverShards, .syncOverShards:
            _ = try plain.run()
            try withoutOutput { try fixture.computeShards(2, of: fixture.extraction(grown)) }
            return pair == .syncOverShards ? sync : append
        case .appendDamageAndChangedSettings, .syncDamageAndChangedSettings:
            _ = try fixture.extraction(manifest, other).run()
            try damageOutput()
            return pair == .syncDamageAndChangedSettings ? sync : append
        case .shardsOfOtherNumberAndOtherRun:
            try fixture.computeShards(3, of: fixture.extraction(manifest, other))
            return { _ = try plain.run(try #require(Shard(number: 1, count: 2))) }
        case .shardOfOtherNumberAndOtherOutput:
            _ = try fixture.extraction(manifest, other).run()
            try withoutOutput { try fixture.computeShards(3, of: plain) }
            return { _ = try plain.run(try #require(Shard(number: 1, count: 2))) }
        case .fileWithoutShardsAndOtherFile, .fileWithoutShardsAndOtherSet:
            _ = try fixture.extraction(manifest, other).with { $0.files = 2 }.run()
            if pair == .fileWithoutShardsAndOtherFile { try remove("features.index.json") }
            return first
        case .fileStaleShardsAndOtherFile:
            _ = try fixture.extraction(manifest, other).with { $0.files = 2 }.run()
            try remove("features.index.json")
            try fixture.computeShards(2, of: plain.with { $0.files = 2 })
            try replaceRecording()
            return first
        }
    }

    @Test(arguments: Pair.allCases)
    func `one of two errors is reported, and nothing is changed`(pair: Pair) throws {
        let run = try prepare(pair)
        let before = try fixture.outputs()
        #expect(thrownCase(run) == pair.wins)
        if pair.wins != nil { #expect(try fixture.outputs() == before) }
    }

    @Test func `changed settings are named before a clip that the manifest lacks, and shards before a spool`() throws {
        let append = try prepare(.appendChangedSettingsAndMissingClip)
        let error = #expect(throws: ExtractionError.self) { try append() }
        guard case .cannotAppend(_, .differences(let differences)) = error else { return }
        #expect(differences.contains { if case .setting("transform.bins", _, _) = $0 { true } else { false } })
        try remove("features.h5")
        let run = try prepare(.shardsAndSpoolOfOtherRun)
        let other = #expect(throws: ExtractionError.self) { try run() }
        guard case .otherRun(let folder, _) = other else { return }
        #expect(folder.hasSuffix(".shards/00001-of-00002"))
    }
}
