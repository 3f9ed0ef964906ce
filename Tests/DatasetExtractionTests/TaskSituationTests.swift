import Concurrency
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

@testable import DatasetExtraction

/// As `RunPlanSituationTests`, for sets, shards, files of a set and streams: whatever they meet with, the plan says beforehand, and the
/// result is that of one run without any of it.
struct TaskSituationTests {
    enum Situation: CaseIterable, Sendable {
        case setNew, setInterrupted, setUpToDate, setOfOtherNumber, setOverwritten, setDamaged, setFromShards
        case setOfOtherStatistics
        case shardNew, shardAttempted, shardAttemptedOtherwise, shardAttemptChanged, shardDone, shardFresh
        case shardOfOtherRun, shardOfOtherNumber, shardInOutput, shardOverOtherOutput, shardOverOtherStatistics
        case shardWithoutRecording
        case setFileNew, setFileLast, setFileDone, setFileInSet, setFileWithoutShard, setFileOfChangedRecording
        case setFileOverOther, setFileOverForeignFile, setFileOfOtherRun
        case streamNew, streamInterrupted, streamOverOutput, streamOverwriting, streamOfOtherRun, streamFresh

        /// The row of the table of runs that it belongs to.
        var kind: RunKind {
            switch self {
            case .setNew, .setInterrupted, .setUpToDate, .setOfOtherNumber, .setOverwritten, .setDamaged,
                .setFromShards,
                .setOfOtherStatistics:
                .set
            case .shardNew, .shardAttempted, .shardAttemptedOtherwise, .shardAttemptChanged, .shardDone, .shardFresh,
                .shardOfOtherRun, .shardOfOtherNumber, .shardInOutput, .shardOverOtherOutput,
                .shardOverOtherStatistics, .shardWithoutRecording:
                .shard
            case .setFileNew, .setFileLast, .setFileDone, .setFileInSet, .setFileWithoutShard,
                .setFileOfChangedRecording,
                .setFileOverOther, .setFileOverForeignFile, .setFileOfOtherRun:
                .setFile
            case .streamNew, .streamInterrupted, .streamOverOutput, .streamOverwriting, .streamOfOtherRun, .streamFresh:
                .stream
            }
        }

        /// Whether a run does not start.
        var isRefused: Bool {
            switch self {
            case .setOfOtherNumber, .setDamaged, .setOfOtherStatistics, .shardAttemptedOtherwise, .shardOfOtherRun,
                .shardOfOtherNumber, .shardOverOtherOutput, .shardOverOtherStatistics, .shardWithoutRecording,
                .setFileWithoutShard, .setFileOfChangedRecording, .setFileOverOther, .setFileOverForeignFile,
                .setFileOfOtherRun, .streamOverOutput, .streamOfOtherRun:
                true
            default: false
            }
        }

        /// Whether there is nothing to do.
        var isDone: Bool { [.setUpToDate, .shardDone, .shardInOutput, .setFileDone, .setFileInSet].contains(self) }

        /// Whether clips of an earlier attempt are used.
        var isResumed: Bool {
            [.setInterrupted, .setFromShards, .shardAttempted, .shardAttemptChanged, .streamInterrupted].contains(self)
        }
    }

    private static let clips = 40
    private let fixture: ExtractionFixture
    private let manifest: String

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<4 { try fixture.record("\(number).wav", samples: 16_000 + 900 * number, seed: number) }
        // As a stream has them: each recording once, in the order of their names.
        for number in 10..<30 { try fixture.record("stream-\(number).wav", samples: 9000 + 100 * number, seed: number) }
        manifest =
            "id,path\n"
            + (0..<Self.clips).map { "\($0),\($0 % 9 == 8 ? "gone-\($0)" : "\($0 % 4)").wav\n" }.joined()
    }

    @Test(arguments: RunKind.allCases) func `every kind of run has two situations or more`(kind: RunKind) {
        let situations =
            RunPlanSituationTests.Situation.allCases.map(\.kind) + Situation.allCases.map(\.kind)
        #expect(situations.count { $0 == kind } >= 2, "\(kind)")
    }

    /// Another configuration, whose clips cannot be used.
    private func wider() throws -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000),
            frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: 256),
            transform: .mel(MelConfiguration(bins: 13, high: 4000)), scale: ScaleConfiguration(),
            normalize: NormalizeConfiguration(scope: .none))
    }

    /// Normalised by the statistics of a file of other recordings.
    private func normalized(_ file: String, files: Int? = nil) throws -> Extraction {
        let configuration = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .dataset))
        if try !fixture.folder.names().contains(file) {
            try fixture.record("\(file).wav", samples: 7000, seed: file.utf8.count)
            _ = try fixture.extraction("path\n\(file).wav\n", configuration, output: file).run()
        }
        let statistics = try ImportedStatistics(path: fixture.folder.path(file))
        return try fixture.extraction(manifest, configuration, statistics: statistics, files: files)
    }

    private func shard(_ number: Int, of count: Int = 2) throws -> Shard {
        try #require(Shard(number: number, count: count))
    }

    private func setFile(_ number: Int) throws -> SetFile { try #require(SetFile(number: number, count: 3)) }

    /// Stops a run once some clips are done.
    private func interrupt(
        after clips: Int, _ run: (ExtractionProgress, Cancellation) throws -> Void
    ) throws {
        let cancellation = Cancellation()
        let error = #expect(throws: StoppedExtraction.self) {
            try run(ExtractionProgress { if $0 >= clips { cancellation.cancel() } }, cancellation)
        }
        #expect(error?.isCancelled == true)
    }

    private func attempt(_ shard: Shard, _ configuration: FeatureConfiguration? = nil) throws {
        var extraction = try fixture.extraction(manifest, configuration, jobs: 1)
        extraction.options.longestStay = .zero
        try interrupt(after: 5) {
            _ = try extraction.run(shard, progress: $0, cancellation: $1)
        }
    }

    private func flip(_ name: String) throws {
        var bytes = try fixture.bytes(name)
        bytes[5000] ^= 0x55
        try RawFile.write(bytes, to: fixture.folder.path(name))
    }

    // MARK: Sets

    private func prepareSet(_ situation: Situation) throws -> Extraction {
        let set = { try fixture.extraction(manifest, files: 3) }
        switch situation {
        case .setInterrupted: _ = try fixture.interrupt(fixture.extraction(manifest, jobs: 1, files: 3), after: 12)
        case .setUpToDate: _ = try set().run()
        case .setOfOtherNumber:
            _ = try set().run()
            return try fixture.extraction(manifest, files: 2)
        case .setOverwritten:
            _ = try fixture.extraction(manifest, wider(), files: 3).run()
            return try fixture.extraction(manifest, overwrite: true, files: 3)
        case .setDamaged:
            _ = try set().run()
            try flip("features-00002-of-00003.h5")
        case .setFromShards: for number in 1...2 { _ = try set().run(shard(number)) }
        case .setOfOtherStatistics:
            _ = try normalized("older.h5", files: 3).run()
            return try normalized("other.h5", files: 3)
        default: break
        }
        return try set()
    }

    @Test(arguments: Situation.allCases.filter { $0.kind == .set })
    func `a set is what its plan says`(situation: Situation) throws {
        let extraction = try prepareSet(situation)
        let (plan, obstacle) = try look(extraction, .output)
        #expect((obstacle != nil) == situation.isRefused)
        guard obstacle == nil else {
            let error = #expect(throws: (any Error).self) { try extraction.run() }
            #expect("\(try #require(error))" == obstacle)
            return
        }
        let summary = try extraction.run()
        #expect(summary.wasUpToDate == situation.isDone)
        #expect((plan.resumed != nil) == situation.isResumed)
        if !situation.isDone { #expect(summary.resumedClips == plan.resumed?.done ?? 0) }
        let bytes = try setBytes("features")
        _ = try fixture.extraction(manifest, output: "whole.h5", files: 3).run()
        #expect(try bytes == setBytes("whole"))
    }

    private func setBytes(_ name: String) throws -> [Data] {
        try (1...3).map { try fixture.bytes("\(name)-0000\($0)-of-00003.h5") }
    }

    // MARK: Shards

    private func prepareShard(_ situation: Situation) throws -> (Extraction, Shard) {
        let own = try shard(2)
        switch situation {
        case .shardAttempted: try attempt(own)
        case .shardAttemptedOtherwise: try attempt(own, wider())
        case .shardAttemptChanged:
            try attempt(own)
            try fixture.record("3.wav", samples: 9000, seed: 9)
        case .shardDone: _ = try fixture.extraction(manifest).run(own)
        case .shardFresh:
            try attempt(own)
            return (try fixture.extraction(manifest, fresh: true), own)
        case .shardOfOtherRun: _ = try fixture.extraction(manifest, wider()).run(shard(1))
        case .shardOfOtherNumber: _ = try fixture.extraction(manifest).run(shard(1, of: 3))
        case .shardInOutput: _ = try fixture.extraction(manifest).run()
        case .shardOverOtherOutput: _ = try fixture.extraction(manifest, wider()).run()
        case .shardOverOtherStatistics:
            _ = try normalized("older.h5").run()
            return (try normalized("other.h5"), own)
        case .shardWithoutRecording:
            try attempt(own)
            try FileManager.default.removeItem(atPath: fixture.folder.path("3.wav"))
        default: break
        }
        return (try fixture.extraction(manifest), own)
    }

    @Test(arguments: Situation.allCases.filter { $0.kind == .shard })
    func `a shard is what its plan says`(situation: Situation) throws {
        let (extraction, shard) = try prepareShard(situation)
        let (plan, obstacle) = try look(extraction, .shard(shard))
        #expect((obstacle != nil) == situation.isRefused)
        guard obstacle == nil else {
            let error = #expect(throws: (any Error).self) { try extraction.run(shard) }
            #expect("\(try #require(error))" == obstacle)
            return
        }
        let summary = try extraction.run(shard)
        #expect(summary.wasDone == situation.isDone)
        #expect([.upToDate, .comparable].contains(plan.output) == situation.isDone)
        #expect((plan.resumed != nil) == situation.isResumed)
        #expect(summary.resumedClips == plan.resumed?.done ?? 0)
        if !situation.isDone { #expect(summary.clips - summary.resumedClips == plan.clipsLeft) }
        #expect(summary.isInOutput == (situation == .shardInOutput))
        guard !summary.isInOutput else { return }
        // The file of its clips is that of one run.
        _ = try extraction.run(try self.shard(1))
        _ = try fixture.extraction(manifest).run()
        _ = try fixture.extraction(manifest, output: "whole.h5").run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
    }

    // MARK: Files of a set

    private func prepareSetFile(_ situation: Situation) throws -> (Extraction, SetFile) {
        let set = try fixture.extraction(manifest, files: 3)
        for number in 1...2 where number == 1 || situation != .setFileWithoutShard { _ = try set.run(shard(number)) }
        switch situation {
        case .setFileLast: for number in [1, 3] { _ = try set.run(setFile(number)) }
        case .setFileDone: _ = try set.run(setFile(2))
        case .setFileInSet: for number in 1...3 { _ = try set.run(setFile(number)) }
        case .setFileOfChangedRecording: try fixture.record("1.wav", samples: 9000, seed: 9)
        case .setFileOverOther:
            _ = try fixture.extraction(manifest, wider(), output: "other.h5").run()
            try FileManager.default.moveItem(
                atPath: fixture.folder.path("other.h5"), toPath: fixture.folder.path("features-00002-of-00003.h5"))
        case .setFileOverForeignFile:
            try RawFile.write(Data("my notes".utf8), to: fixture.folder.path("features-00002-of-00003.h5"))
        case .setFileOfOtherRun: return (try fixture.extraction(manifest, wider(), files: 3), try setFile(2))
        default: break
        }
        return (set, try setFile(2))
    }

    @Test(arguments: Situation.allCases.filter { $0.kind == .setFile })
    func `a file of a set is what its plan says`(situation: Situation) throws {
        let (extraction, setFile) = try prepareSetFile(situation)
        let (plan, obstacle) = try look(extraction, .setFile(setFile))
        #expect((obstacle != nil) == situation.isRefused)
        guard obstacle == nil else {
            let error = #expect(throws: (any Error).self) { try extraction.run(setFile) }
            #expect("\(try #require(error))" == obstacle)
            return
        }
        let summary = try extraction.run(setFile)
        #expect(summary.wasDone == situation.isDone)
        #expect([.upToDate, .comparable].contains(plan.output) == situation.isDone && plan.clipsLeft == 0)
        #expect((summary.index != nil) == [.setFileLast, .setFileInSet].contains(situation))
        for number in [1, 3] { _ = try extraction.run(self.setFile(number)) }
        let bytes = try setBytes("features")
        _ = try fixture.extraction(manifest, output: "whole.h5", files: 3).run()
        #expect(try bytes == setBytes("whole"))
    }

    // MARK: Streams

    /// A tar of the recordings in the fixture whose names begin like it.
    private func tar() throws -> Data {
        var tar = Data()
        for number in 10..<30 {
            let content = try fixture.bytes("stream-\(number).wav")
            var header = [UInt8](repeating: 0, count: 512)
            func put(_ text: String, at offset: Int) {
                header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
            }
            put("stream-\(number).wav", at: 0)
            put("0000644", at: 100)
            let size = String(content.count, radix: 8)
            put(String(repeating: "0", count: 11 - size.count) + size, at: 124)
            put("00000000000", at: 136)
            put("        0", at: 148)
            put("ustar", at: 257)
            put("00", at: 263)
            let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
            put(String(repeating: "0", count: 6 - sum.count) + sum + "\0 ", at: 148)
            tar += header + content + Data(repeating: 0, count: (512 - content.count % 512) % 512)
        }
        return tar + Data(repeating: 0, count: 1024)
    }

    private func stream(
        _ configuration: FeatureConfiguration? = nil, jobs: Int = 2, overwrite: Bool = false, fresh: Bool = false
    ) throws -> StreamExtraction {
        let configuration = try configuration ?? ExtractionFixture.configuration()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return StreamExtraction(
            configuration, json: String(decoding: try encoder.encode(configuration), as: UTF8.self), name: "stream",
            options: ExtractionOptions(
                output: fixture.folder.path("features.h5"), root: ".", jobs: jobs, overwrite: overwrite, fresh: fresh))
    }

    /// Reads the tar as a stream.
    @discardableResult
    private func run(
        _ stream: StreamExtraction, progress: ExtractionProgress = ExtractionProgress(),
        cancellation: Cancellation = Cancellation()
    ) throws -> ExtractionSummary {
        let path = fixture.folder.path("stream.tar")
        try RawFile.write(try tar(), to: path)
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        return try stream.run(
            descriptor: file.fileDescriptor, progress: progress, cancellation: cancellation
        ).summary
    }

    private func prepareStream(_ situation: Situation) throws -> StreamExtraction {
        func interruptStream() throws {
            try interrupt(after: 5) {
                try run(stream(jobs: 1), progress: $0, cancellation: $1)
            }
        }
        switch situation {
        case .streamInterrupted: try interruptStream()
        case .streamOverOutput: try run(stream())
        case .streamOverwriting:
            try run(stream(wider()))
            return try stream(overwrite: true)
        case .streamOfOtherRun:
            try interruptStream()
            return try stream(wider())
        case .streamFresh:
            try interruptStream()
            return try stream(fresh: true)
        default: break
        }
        return try stream()
    }

    @Test(arguments: Situation.allCases.filter { $0.kind == .stream })
    func `a stream becomes the file of its recordings`(situation: Situation) throws {
        let extraction = try prepareStream(situation)
        guard !situation.isRefused else {
            let before = try fixture.state().keys.sorted()
            #expect(throws: ExtractionError.self) { try run(extraction) }
            #expect(try fixture.state().keys.sorted() == before)
            return
        }
        let summary = try run(extraction)
        #expect((summary.resumedClips > 0) == situation.isResumed && summary.clips == 20)
        let rows = try FeatureReader(path: fixture.folder.path("features.h5"))
        let manifest = "id,path\n" + (10..<30).map { "stream-\($0).wav,stream-\($0).wav\n" }.joined()
        let whole = try fixture.extract(manifest, output: "whole.h5")
        for number in 10..<30 {
            #expect(try rows.features(id: "stream-\(number)") == whole.features(id: "stream-\(number).wav"))
        }
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    // MARK: What planning must not do

    /// The plan of a run; makes sure that planning changes nothing.
    private func look(_ extraction: Extraction, _ task: RunTask) throws -> (plan: RunPlan, obstacle: String?) {
        let before = try fixture.state()
        let found = try extraction.dryRun(task)
        // Whatever it ended with, the report asks for every clip.
        let remarks = KeptRemarks(extraction, found.plan)
        for clip in 0..<Self.clips { _ = (found.plan.keeps(clip), remarks.include(clip)) }
        _ = try remarks.account()
        #expect(try fixture.state() == before)
        return found
    }

}
