import Concurrency
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DatasetInspection

struct ClipProfilesTests {
    private let fixture: ExtractionFixture

    init() throws {
        fixture = try ExtractionFixture()
        for clip in 0..<6 {
            try fixture.record("\(clip).wav", samples: 900 + 200 * clip, seed: clip, gain: 0.1 + 0.1 * Float(clip))
        }
        try fixture.folder.writeWave([Array(repeating: 0, count: 2000)], sampleRate: 8000, to: "silent.wav")
        try fixture.folder.writeWave([Array(repeating: 0, count: 256)], sampleRate: 8000, to: "silent-frame.wav")
    }

    private static let manifest = """
        path,label,split
        0.wav,owl,train
        1.wav,wren,train
        2.wav,owl,test
        3.wav,,train
        silent.wav,wren,test
        4.wav,owl,train
        5.wav,owl,
        silent-frame.wav,tit,test

        """

    @Test func `a profile has the mean of each bin of the stored values`() throws {
        let reader = try fixture.extract(Self.manifest)
        let found = try ClipProfiles.take(reader)
        #expect(found.profiles.map(\.clipIndex) == Array(0..<8) && found.clipCount == 8 && found.invalidValues == 0)
        for (index, clip) in try reader.allClips().enumerated() {
            let rows = try reader.features(of: clip)
            let profile = found.profiles[index]
            #expect(profile.frames == rows.rows)
            for bin in 0..<rows.bins {
                let sum = (0..<rows.rows).reduce(0.0) { $0 + Double(rows[$1, bin]) }
                #expect(found.means[index, bin] == Float(sum / Double(rows.rows)))
            }
            #expect(found.index(ofClip: index) == index)
        }
        #expect(found.index(ofClip: 8) == nil)
        let all = try reader.rows(0..<reader.rows)
        for bin in 0..<12 {
            let column = (0..<all.rows).map { Double(all[$0, bin]) }
            let mean = column.reduce(0, +) / Double(column.count)
            let variance = column.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(column.count)
            #expect(
                abs(found.binMeans[bin] - mean) < 1e-9 && abs(found.binDeviations[bin] - variance.squareRoot()) < 1e-9)
        }
        #expect(found.values.total == all.values.count)
    }

    @Test(arguments: [NormalizeConfiguration.Scope.none, .clip, .dataset], StoreConfiguration.Element.allCases)
    func `silence lies at the floor, however values are normalised and stored`(
        scope: NormalizeConfiguration.Scope, element: StoreConfiguration.Element
    ) throws {
        for topDB in [nil, 60.0] {
            let base = try ExtractionFixture.configuration()
            let configuration = try FeatureConfiguration(
                audio: base.audio, frame: base.frame, transform: base.transform,
                scale: ScaleConfiguration(topDB: topDB), normalize: NormalizeConfiguration(scope: scope, fit: ""),
                store: StoreConfiguration(element: element))
            let output = "\(topDB ?? 0).h5"
            let reader = try fixture.extract(Self.manifest, configuration, output: output)
            let found = try ClipProfiles.take(reader)
            try expectSharesOfSuspicion(reader, found)
            #expect(found.profiles[4].floorShare == 1 && found.profiles[4].isConstant && found.profiles[4].isSilent)
            // One frame is no reason to call a clip constant; that it lies at the floor is what makes it silent.
            #expect(found.profiles[7].floorShare == 1 && !found.profiles[7].isConstant && found.profiles[7].isSilent)
            for clip in [0, 1, 2, 3, 5, 6] {
                #expect(found.profiles[clip].floorShare == 0 && !found.profiles[clip].isSilent)
            }
            let silent = found.profiles[4].frames + found.profiles[7].frames
            let frames = found.profiles.reduce(0) { $0 + $1.frames }
            #expect(found.floorShare == Double(silent) / Double(frames))
        }
    }

    /// The search of suspicious clips finds the same shares and the same silent clips in a pass of its own.
    private func expectSharesOfSuspicion(_ reader: FeatureReader, _ profiles: ClipProfiles) throws {
        let duplicates = try Duplicates.find(reader, try ClipCensus.take(reader))
        let shares = Mutex<[Double]>([])
        let found = try Suspicion.take(reader, duplicates: duplicates, jobs: 2) { share in
            shares.withLock { $0.append(share) }
        }
        #expect(found.floorShares == profiles.profiles.map { $0.floorShare.map { Float($0) } })
        let silent = found.suspects.filter { $0.reasons.contains(.silent) }.map(\.clipIndex)
        #expect(silent.sorted() == profiles.profiles.filter(\.isSilent).map(\.clipIndex))
        let reported = shares.withLock { $0 }
        #expect(reported == reported.sorted() && reported.first == 0 && reported.last == 1)
    }

    @Test func `a search of suspicious clips stops when it is cancelled`() throws {
        let reader = try fixture.extract(Self.manifest)
        let (duplicates, cancellation) = (try Duplicates.find(reader, try ClipCensus.take(reader)), Cancellation())
        #expect(throws: SuspicionError.cancelled) {
            try Suspicion.take(
                reader, duplicates: duplicates, jobs: 1, progress: { _ in cancellation.cancel() },
                cancellation: cancellation)
        }
    }

    @Test func `scales without a floor have no share at it`() throws {
        let base = try ExtractionFixture.configuration()
        for (scale, transform) in [
            (try ScaleConfiguration(kind: .complex), TransformConfiguration.fft(bins: 6, step: 1)),
            (try ScaleConfiguration(kind: .pcen), base.transform),
        ] {
            let configuration = try FeatureConfiguration(
                audio: base.audio, frame: base.frame, transform: transform, scale: scale, normalize: .none)
            let reader = try fixture.extract(Self.manifest, configuration, output: "\(scale.kind).h5")
            let found = try ClipProfiles.take(reader)
            try expectSharesOfSuspicion(reader, found)
            #expect(found.floorShare == nil && found.profiles.allSatisfy { $0.floorShare == nil })
            #expect(found.profiles[4].isSilent)
        }
    }

    @Test func `deltas are not measured against the floor`() throws {
        let base = try ExtractionFixture.configuration()
        let json = #"{"kind": "mel", "bins": 12, "high": 4000, "deltas": 2}"#
        let transform = try JSONDecoder().decode(TransformConfiguration.self, from: Data(json.utf8))
        let configuration = try FeatureConfiguration(
            audio: base.audio, frame: base.frame, transform: transform, scale: base.scale, normalize: .none)
        let reader = try fixture.extract(Self.manifest, configuration)
        let found = try ClipProfiles.take(reader)
        try expectSharesOfSuspicion(reader, found)
        #expect(found.means.bins == 36 && found.profiles[4].floorShare == 1 && found.profiles[0].floorShare == 0)
    }

    @Test func `the scope chooses split and labels`() throws {
        let reader = try fixture.extract(Self.manifest)
        #expect(
            try ClipProfiles.take(reader, scope: ProfileScope(split: "test")).profiles.map(\.clipIndex) == [2, 4, 7])
        #expect(try ClipProfiles.take(reader, scope: ProfileScope(split: "")).profiles.map(\.clipIndex) == [6])
        let labels = try ClipProfiles.take(reader, scope: ProfileScope(labels: [2, -1]))
        #expect(labels.profiles.map(\.clipIndex) == [1, 3, 4] && labels.labels.map(\.label) == ["wren", ""])
        let none = try ClipProfiles.take(reader, scope: ProfileScope(split: "dev"))
        #expect(none.profiles.isEmpty && none.labels.isEmpty && none.values.total == 0 && none.floorShare == nil)
    }

    @Test func `of too many clips of a label, the first in the seed's order are chosen`() throws {
        var rows = "path,id,label\n"
        for clip in 0..<300 { rows += "\(clip % 6).wav,\(clip),\(clip % 3 == 0 ? "a" : "b")\n" }
        let reader = try fixture.extract(rows)
        let found = try ClipProfiles.take(reader, scope: ProfileScope(perLabel: 7, seed: 3))
        let order = SeededOrder(seed: 3)
        for (index, label) in found.labels.enumerated() {
            let all = (0..<300).filter { ($0 % 3 == 0) == (index == 0) }
            #expect(label.clips == all.count)
            #expect(label.clipIndices == all.sorted { order.key($0) < order.key($1) }.prefix(7).sorted())
        }
        #expect(found.profiles.map(\.clipIndex) == found.labels.flatMap(\.clipIndices).sorted())
        let other = try ClipProfiles.take(reader, scope: ProfileScope(perLabel: 7, seed: 4))
        #expect(other.profiles.map(\.clipIndex) != found.profiles.map(\.clipIndex))
        // The first output of SplitMix64 from the state 0, as its authors' program prints it.
        #expect(SeededOrder(seed: 0).key(0) == 0xE220_A839_7B1D_CDAF)
        #expect(ProfileScope(perLabel: 500).limit(labels: 10, bins: 80, clips: 99_999) == 500)
        #expect(ProfileScope(perLabel: 500).limit(labels: 1000, bins: 80, clips: 99_999) == 50)
        #expect(ProfileScope(perLabel: 500).limit(labels: 1000, bins: 80, clips: 50_000) == 500)
        #expect(ProfileScope(perLabel: 500).limit(labels: 1_000_000, bins: 80, clips: 9_999_999) == 2)
        #expect(ProfileScope(perLabel: 500).limit(labels: 100, bins: 2048, clips: 8193) == 81)
    }

    @Test func `a clip that is not like its label comes first among the extreme, and last among the typical`() throws {
        var rows = "path,id,label\n"
        for clip in 0..<12 {
            try fixture.record("a\(clip).wav", samples: 3000, seed: 50 + clip, gain: clip == 7 ? 0.001 : 0.5)
            rows += "a\(clip).wav,a\(clip),a\n"
        }
        let profiles = try ClipProfiles.take(fixture.extract(rows + "0.wav,lone,b\n"))
        let extreme = ClipSelection.choose(3, from: profiles, method: .extreme)
        let typical = ClipSelection.choose(20, from: profiles, method: .typical)
        #expect(extreme.map(\.label) == ["a", "b"] && extreme[0].choices[0].clipIndex == 7)
        #expect(typical[0].choices.count == 12 && typical[0].choices.last?.clipIndex == 7)
        #expect(typical[0].choices.map(\.distance) == typical[0].choices.map(\.distance).sorted())
        #expect(Array(extreme[0].choices) == Array(typical[0].choices.reversed().prefix(3)))
        #expect(extreme[1].choices == [.init(clipIndex: 12, distance: 0)] && extreme[1].clips == 1)
        // Squared distances average 1 over the clips, bin by bin and so altogether.
        let squares = typical[0].choices.reduce(0) { $0 + $1.distance * $1.distance }
        #expect(abs(squares / 12 - 1) < 1e-9)
        let random = ClipSelection.choose(5, from: profiles, method: .random(seed: 9))
        #expect(
            random[0].choices.count == 5 && random == ClipSelection.choose(5, from: profiles, method: .random(seed: 9)))
        #expect(random != ClipSelection.choose(5, from: profiles, method: .random(seed: 10)))
    }

    @Test func `equal clips have no distance and come in the file's order`() throws {
        let rows = "path,id,label\n0.wav,a,x\n0.wav,b,x\n0.wav,c,x\n"
        let profiles = try ClipProfiles.take(fixture.extract(rows))
        for method in [ClipSelection.Method.typical, .extreme] {
            let choices = ClipSelection.choose(2, from: profiles, method: method)[0].choices
            #expect(choices == [.init(clipIndex: 0, distance: 0), .init(clipIndex: 1, distance: 0)])
        }
    }

    @Test func `the average of clips counts at each frame those that have it`() throws {
        let reader = try fixture.extract(Self.manifest)
        let average = try LabelAverage.take(reader, clipIndices: [0, 6, 2], frames: 1000)
        let clips = try [0, 6, 2].map { try reader.features(of: reader.clip(at: $0)) }
        #expect(average.counts.count == clips[1].rows && average.mean.rows == clips[1].rows)
        for row in 0..<average.mean.rows {
            let present = clips.filter { $0.rows > row }
            #expect(average.counts[row] == present.count)
            for bin in 0..<12 {
                let values = present.map { Double($0[row, bin]) }
                let mean = values.reduce(0, +) / Double(values.count)
                let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
                #expect(abs(Double(average.mean[row, bin]) - mean) < 1e-5)
                #expect(abs(Double(average.deviation[row, bin]) - variance.squareRoot()) < 1e-4)
            }
        }
        #expect(try LabelAverage.take(reader, clipIndices: [0, 6], frames: 4).counts == [2, 2, 2, 2])
        #expect(try LabelAverage.take(reader, clipIndices: [], frames: 4).mean.rows == 0)
    }
}
