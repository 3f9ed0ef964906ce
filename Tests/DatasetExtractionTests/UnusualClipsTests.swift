import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

@testable import DatasetInspection

struct UnusualClipsTests {
    private let fixture: ExtractionFixture

    init() throws { fixture = try ExtractionFixture() }

    private func look(_ manifest: String) throws -> (FeatureReader, ClipCensus, ClipProfiles, Duplicates) {
        let reader = try fixture.extract(manifest)
        let census = try ClipCensus.take(reader)
        return (reader, census, try ClipProfiles.take(reader), try Duplicates.find(reader, census))
    }

    @Test func `clips are counted by label and split, and the longest and shortest found`() throws {
        for (clip, length) in [900, 400, 700, 400, 2000].enumerated() {
            try fixture.record("\(clip).wav", samples: length, seed: clip)
        }
        let manifest = """
            path,label,split
            0.wav,owl,train
            1.wav,wren,test
            2.wav,owl,train
            3.wav,,
            4.wav,owl,test

            """
        let census = try ClipCensus.take(fixture.extract(manifest))
        #expect(census.labels == ["owl", "wren"] && census.splits == ["test", "train", ""])
        #expect(census.counts == [1, 2, 0, 1, 0, 0, 0, 0, 1])
        #expect(census.durations == [900, 400, 700, 400, 2000].map { $0 / 8000 })
        #expect(census.extreme(2, longest: true) == [4, 0] && census.extreme(3, longest: false) == [1, 3, 2])
        #expect(census.extreme(9, longest: true) == [4, 0, 2, 1, 3])
    }

    @Test func `equal recordings are found, and leaks and contradictions come first`() throws {
        for clip in 0..<4 { try fixture.record("\(clip).wav", seed: clip) }
        let manifest = """
            path,id,label,split
            0.wav,a,x,train
            1.wav,b,x,train
            1.wav,c,y,train
            2.wav,d,x,train
            3.wav,e,x,train
            3.wav,f,x,train
            2.wav,g,x,test

            """
        let (_, _, _, found) = try look(manifest)
        #expect(found.compared == 7 && found.groups.map(\.clipIndices) == [[3, 6], [1, 2], [4, 5]])
        #expect(found.groups.map(\.isLeak) == [true, false, false])
        #expect(found.groups.map(\.isContradiction) == [false, true, false])
        #expect(found.groups.allSatisfy { $0.isAudio })
    }

    @Test func `equal values of different recordings are equal clips, too`() throws {
        try fixture.folder.writeWave([Array(repeating: 0, count: 2000)], sampleRate: 8000, to: "a.wav")
        try fixture.folder.writeWave(
            [[Float]](repeating: Array(repeating: 0, count: 2000), count: 2), sampleRate: 8000, to: "b.wav")
        let (_, _, _, found) = try look("path\na.wav\nb.wav\n")
        #expect(found.groups.map(\.clipIndices) == [[0, 1]] && !found.groups[0].isAudio && !found.groups[0].isLeak)
    }

    @Test func `the nearest clips of different splits are the copy and what it was made from`() throws {
        var manifest = "path,id,split\n"
        for clip in 0..<8 {
            let samples = try fixture.record("\(clip).wav", samples: 3000, seed: clip, gain: 0.05 + 0.05 * Float(clip))[
                0]
            // A little shorter and rounded anew, so that no checksum is equal.
            if clip == 5 {
                try fixture.folder.writeWave(
                    [samples.dropLast(130).map { $0 * 0.999 }], sampleRate: 8000, to: "copy.wav")
            }
            manifest += "\(clip).wav,\(clip),train\n"
        }
        try fixture.folder.writeWave([Array(repeating: 0, count: 2000)], sampleRate: 8000, to: "s.wav")
        try fixture.folder.writeWave([Array(repeating: 0, count: 1800)], sampleRate: 8000, to: "t.wav")
        manifest += "copy.wav,copy,test\n1.wav,same,test\ns.wav,s,train\nt.wav,t,test\n"
        let (_, census, profiles, exact) = try look(manifest)
        let near = NearDuplicates.find(3, in: profiles, census, except: exact)
        #expect(near.compared == 10)
        // Not the equal clips 1 and 9, and not the silent ones 10 and 11.
        #expect(near.pairs.first.map { [$0.first, $0.second] } == [5, 8])
        #expect(near.pairs.map(\.distance) == near.pairs.map(\.distance).sorted())
        let alone = NearDuplicates.find(3, in: profiles, census, except: exact).pairs.flatMap { [$0.first, $0.second] }
        #expect(Set(alone).count == alone.count)
        let (deviation, bins) = (profiles.spread(of: Array(0..<10)).deviation, 12)
        let pair = try #require(near.pairs.first)
        let sum = (0..<bins).reduce(0.0) { sum, bin in
            let difference = Double(profiles.means[5, bin] - profiles.means[8, bin]) / deviation[bin]
            return sum + difference * difference
        }
        #expect(abs(pair.distance - (sum / 12).squareRoot()) < 1e-5)
    }

    @Test func `many near copies of one clip do not hide the other pairs`() throws {
        var manifest = "path,id,split\n"
        func record(_ name: String, _ split: String, seed: Int, length: Int = 3000, scale: Float = 1) throws {
            try fixture.record("\(name).wav", samples: length, seed: seed, gain: (0.05 + 0.05 * Float(seed)) * scale)
            manifest += "\(name).wav,\(name),\(split)\n"
        }
        // Planted pairs differ by more than the copies do.
        for pair in 0..<3 {
            try record("a\(pair)", "train", seed: pair)
            try record("b\(pair)", "test", seed: pair, length: 2600)
        }
        try record("one", "train", seed: 5)
        for copy in 0..<40 { try record("copy\(copy)", "test", seed: 5, scale: 0.999 - 0.0002 * Float(copy)) }
        let (_, census, profiles, exact) = try look(manifest)
        let near = NearDuplicates.find(4, in: profiles, census, except: exact)
        let found = Set(near.pairs.map { [$0.first, $0.second] })
        #expect(found.isSuperset(of: [[0, 1], [2, 3], [4, 5]]) && near.pairs.count == 4)
        #expect(near.pairs[0].first == 6 && near.pairs[0].second > 6)
    }

    @Test func `shares of clipped samples are compared exactly, however long recordings are`() {
        let (half, more) = (Int.max / 2, Int.max / 2 + 1)
        let one = ClippingSearch.Finding(clipIndex: 1, clipped: half, samples: .max)
        let other = ClippingSearch.Finding(clipIndex: 2, clipped: more, samples: .max)
        #expect(other.precedes(one) && !one.precedes(other) && !one.precedes(one))
        #expect(ClippingSearch.Finding(clipIndex: 0, clipped: half, samples: .max).precedes(one))
    }

    @Test func `within one split no clip is compared with another`() throws {
        for clip in 0..<3 { try fixture.record("\(clip).wav", seed: clip) }
        let (_, census, profiles, exact) = try look("path\n0.wav\n1.wav\n2.wav\n")
        let near = NearDuplicates.find(3, in: profiles, census, except: exact)
        #expect(near.pairs.isEmpty && near.compared == 0)
    }

    @Test func `runs of three samples at full scale count, shorter ones and quieter ones do not`() {
        func count(_ samples: [Float], channels: Int = 1, pieces: Int = 1) -> Int {
            var counter = FullScaleCounter(channels: channels)
            let size = max(samples.count / pieces / channels * channels, channels)
            for start in stride(from: 0, to: samples.count, by: size) {
                samples.withUnsafeBufferPointer {
                    counter.add(UnsafeBufferPointer(rebasing: $0[start..<min(start + size, samples.count)]))
                }
            }
            #expect(counter.samples == samples.count)
            return counter.clipped
        }
        #expect(count([0, 1, 1, 0, 1, 1]) == 0 && count([1, 1, 1]) == 3 && count([0, -1, -1, -1, -1, 0]) == 4)
        #expect(count([1, 1, -1, -1, 1]) == 0 && count([0.999, 0.999, 0.999, 0.999]) == 0)
        #expect(count(Array(repeating: 32_767.0 / 32_768, count: 5) + [0] + Array(repeating: 1, count: 3)) == 8)
        // Channels each have runs of their own.
        #expect(count([1, 0, 1, 0, 1, 0], channels: 2) == 3 && count([1, -1, 1, -1, 1, -1], channels: 2) == 6)
        for pieces in 2...5 { #expect(count([0, 1, 1, 1, 1, 1, 1, 1, 0, 1], pieces: pieces) == 7) }
        // Long recordings, most parts of which are quiet.
        var random = RandomSource(seed: 21)
        for channels in [1, 2, 3, 7, 300] {
            var samples = random.samples(channels * 4000).map { $0 * 0.9 }
            for _ in 0..<6 {
                let first = Int.random(in: 0..<3900, using: &random)
                let (channel, sign) = (Int.random(in: 0..<channels, using: &random), Float(first % 2 * 2 - 1))
                for frame in first..<first + Int.random(in: 1..<90, using: &random) {
                    samples[frame * channels + channel] = sign
                }
            }
            var expected = 0
            for channel in 0..<channels {
                let own = stride(from: channel, to: samples.count, by: channels).map { samples[$0] } + [0]
                var run: [Float] = []
                for sample in own {
                    if sample.magnitude == 1, run.last ?? sample == sample {
                        run.append(sample)
                    } else {
                        expected += run.count >= 3 ? run.count : 0
                        run = sample.magnitude == 1 ? [sample] : []
                    }
                }
            }
            #expect(expected > 0 && count(samples, channels: channels) == expected)
            #expect(count(samples, channels: channels, pieces: 7) == expected, "\(channels) channels")
        }
    }

    @Test func `clipped recordings are found with any number of threads, missing ones counted`() throws {
        var random = RandomSource(seed: 8)
        var manifest = "path,id,start,end\n"
        for clip in 0..<20 {
            var samples = random.samples(2000).map { $0 * 0.5 }
            if clip == 3 { samples.replaceSubrange(100..<110, with: Array(repeating: 1, count: 10)) }
            if clip == 11 { samples.replaceSubrange(1500..<1540, with: Array(repeating: -1, count: 40)) }
            try fixture.folder.writeWave([samples], sampleRate: 8000, to: "\(clip).wav")
            manifest += "\(clip).wav,\(clip),,\n"
        }
        // The part of recording 11 that is not clipped, and the one that is.
        manifest += "11.wav,before,0,0.1\n11.wav,after,0.15,0.25\n"
        let (reader, census, _, _) = try look(manifest)
        for jobs in [1, 3] {
            let found = try ClippingSearch.run(reader, census, root: fixture.folder.url.path, seed: 0, jobs: jobs)
            #expect(found.read == 22 && found.missing == 0 && found.chosen == 22)
            #expect(found.findings.map(\.clipIndex) == [21, 11, 3] && found.findings.map(\.clipped) == [40, 40, 10])
            #expect(found.findings.map(\.samples) == [800, 2000, 2000])
        }
        try FileManager.default.removeItem(atPath: fixture.folder.path("3.wav"))
        let rest = try ClippingSearch.run(reader, census, root: fixture.folder.url.path, seed: 0, jobs: 2)
        #expect(rest.read == 21 && rest.missing == 1 && rest.findings.map(\.clipIndex) == [21, 11])
        let nothing = try ClippingSearch.run(reader, census, root: "/nowhere", seed: 0, jobs: 2)
        #expect(nothing.read == 0 && nothing.missing == 22 && nothing.findings.isEmpty)
    }
}
