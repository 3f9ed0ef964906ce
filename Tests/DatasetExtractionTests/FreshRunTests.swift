import ClipSpool
import DatasetExtraction
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

/// `--fresh` deletes the clips of an interrupted run only when nothing keeps the new one from its work.
struct FreshRunTests {
    private let fixture: ExtractionFixture
    private static let manifest = "id,path\n" + (0..<8).map { "\($0),\($0 % 4).wav\n" }.joined()
    private static let part = "id,path\n" + (0..<5).map { "\($0),\($0 % 4).wav\n" }.joined()

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<4 { try fixture.record("\(number).wav", samples: 5000 + 400 * number, seed: number) }
    }

    enum Obstacle: CaseIterable, Sendable {
        case foreignFile, otherOutput, damagedOutput, folder, held, missingScratch
        case appendChangedSettings, appendMissingClip, appendStaleClips
        case syncChangedSettings, retryOtherManifest
        case fileOfSet

        var error: String {
            switch self {
            case .foreignFile: "notReplaceable"
            case .otherOutput, .damagedOutput, .fileOfSet: "outputExists"
            case .folder: "unusableName"
            case .held: "busy"
            case .missingScratch: "unwritableFolder"
            case .appendChangedSettings, .appendMissingClip: "cannotAppend"
            case .appendStaleClips: "staleClips"
            case .syncChangedSettings, .retryOtherManifest: "cannotSync"
            }
        }
    }

    @Test(arguments: Obstacle.allCases)
    func `an error leaves the clips of the interrupted run`(obstacle: Obstacle) throws {
        let output = fixture.folder.path("features.h5")
        let files = obstacle == .fileOfSet ? 2 : nil
        let other = try ExtractionFixture.configuration(bins: 13)
        let plain = try fixture.extraction(Self.manifest).with { $0.files = files }
        var fresh = try fixture.extraction(Self.manifest, fresh: true).with { $0.files = files }
        try fixture.stopBeforeAssembly(plain)

        /// Makes a finished file under the output's name.
        func put(_ manifest: String, _ configuration: FeatureConfiguration?) throws {
            _ = try fixture.extraction(manifest, configuration, output: "made.h5").run()
            try FileManager.default.moveItem(atPath: fixture.folder.path("made.h5"), toPath: output)
            // The extraction wrote its own manifest.
            fresh = try fixture.extraction(Self.manifest, fresh: true)
        }
        var held: Spool?
        switch obstacle {
        case .foreignFile: try RawFile.write(Data("notes".utf8), to: output)
        case .otherOutput: try put(Self.manifest, other)
        case .damagedOutput:
            try put(Self.manifest, nil)
            var bytes = try fixture.bytes("features.h5")
            bytes[5000] ^= 0x55
            try RawFile.write(bytes, to: output)
        case .folder: try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: false)
        case .held: held = try Spool(folder: output + ".spool")
        case .missingScratch: fresh.options.scratch = fixture.folder.path("nowhere")
        case .appendChangedSettings:
            try put(Self.part, other)
            fresh.options.update = .append
        case .appendMissingClip:
            try put("id,path\nx,0.wav\n", nil)
            fresh.options.update = .append
        case .appendStaleClips:
            let bytes = try fixture.bytes("1.wav")
            try fixture.record("1.wav", samples: 7000, seed: 9)
            try put(Self.part, nil)
            try bytes.write(to: URL(filePath: fixture.folder.path("1.wav")))
            fresh.options.update = .append
        case .syncChangedSettings:
            try put(Self.manifest, other)
            fresh.options.update = .sync
        case .retryOtherManifest:
            try put(Self.part, nil)
            fresh.options.update = .retryFailed
        case .fileOfSet:
            try RawFile.write(Data(), to: fixture.folder.path("features-00002-of-00002.h5"))
        }
        #expect(thrownCase { try fresh.run() } == obstacle.error)
        held?.unlock()
        for name in ["features.h5", "features-00002-of-00002.h5"] {
            try? FileManager.default.removeItem(atPath: fixture.folder.path(name))
        }
        let expected = obstacle == .appendStaleClips ? 6 : 8
        // A recording that was written anew has another time.
        #expect(try fixture.extraction(Self.manifest).with { $0.files = files }.run().resumedClips == expected)
    }

    @Test func `without an obstacle it computes all clips again, and deletes shards of other runs`() throws {
        try fixture.stopBeforeAssembly(fixture.extraction(Self.manifest))
        try fixture.computeShards(
            2, of: fixture.extraction(Self.manifest, ExtractionFixture.configuration(bins: 13)))
        let summary = try fixture.extraction(Self.manifest, fresh: true).run()
        #expect(summary.resumedClips == 0 && summary.clips == 8)
        #expect(try fixture.leftovers() == ["features.h5"])
    }
}
