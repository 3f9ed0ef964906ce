import ClipSpool
import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import ClipSpool

/// Small finished clips, which stay in memory until there are many.
struct GatheredClipsTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("out.spool") }
    private let bins = 3

    init() throws { folder = try TemporaryFolder() }

    /// Gathers a clip whose rows go to `rows` of the feature file; nil: it has no rows reserved there.
    private func gather(_ clip: Int, _ values: [Float], at rows: Range<Int>?, in writer: SpoolWriter) throws {
        writer.start(clip: clip)
        writer.reserve { rows }
        try writer.append(values)
        try writer.gather(finishedClip(rows: values.count / bins, seed: clip))
    }

    private func found(_ spool: Spool) throws -> [Int] {
        var clips: [Int] = []
        let damaged = try spool.scan {
            switch $0 {
            case .finished(let clip, _, _, _): clips.append(clip)
            case .failed(let clip, _): clips.append(-clip)
            }
        }
        #expect(damaged.isEmpty)
        return clips.sorted()
    }

    private func size(_ name: String) throws -> Int { try Data(contentsOf: URL(filePath: path + "/" + name)).count }

    @Test(arguments: [true, false])
    func `clips count when they are written, not before, and come back with their rows`(isInPlace: Bool) throws {
        let spool = try Spool(folder: path)
        let writer = try spool.writer(0, rows: isInPlace ? spool.inPlaceRows(bins: bins) : nil)
        let clips = (0..<5).map { randomRows(10 + $0, seed: $0) }
        var next = 100
        for (clip, values) in clips.enumerated() {
            // Behind the third, another worker's rows.
            if clip == 3 { next += 50 }
            try gather(clip, values, at: next..<next + values.count / bins, in: writer)
            next += values.count / bins
        }
        writer.start(clip: 5)
        try writer.append(clips[0])
        try writer.gather(ClipFailure.noSamples)
        #expect(writer.takeWritten().isEmpty)
        #expect(try found(spool) == [] && size("clips-0.spool") == 0)
        #expect(try !isInPlace || size("rows") == 0)

        try writer.flush(ifOlderThan: .seconds(3600))
        #expect(writer.takeWritten().isEmpty)
        try writer.flush(ifOlderThan: .zero)
        let written = writer.takeWritten()
        #expect(written.map(\.clip).sorted() == [0, 1, 2, 3, 4, 5] && writer.takeWritten().isEmpty)
        #expect(try found(spool) == [-5, 0, 1, 2, 3, 4])
        let reader = spool.reader()
        for clip in written {
            guard case .spooled(let position, let rows) = clip.entry else {
                #expect(clip.clip == 5 && clip.seconds == nil)
                #expect(try reader.failure(at: #require(clip.entry.position)) == FailureRecord(.noSamples))
                continue
            }
            #expect(rows == 10 + clip.clip && clip.seconds == Double(rows) / 100)
            #expect(try reader.whole(at: position).values == clips[clip.clip])
            #expect(try (reader.finished(at: position).inPlace != nil) == isInPlace)
        }
        // A large clip is not kept, nor are those before it.
        try gather(6, clips[1], at: 1000..<1011, in: writer)
        try gather(7, randomRows(30_000, seed: 7), at: 2000..<32_000, in: writer)
        #expect(writer.takeWritten().map(\.clip) == [6, 7])
        #expect(try found(spool) == [-5, 0, 1, 2, 3, 4, 6, 7])
    }

    @Test func `as many stay in memory as are worth a call, and no more`() throws {
        let spool = try Spool(folder: path)
        let writer = try spool.writer(0)
        let values = randomRows(1000, seed: 1)
        var written = 0
        for clip in 0..<200 {
            try gather(clip, values, at: nil, in: writer)
            written += writer.takeWritten().count
            #expect((clip + 1 - written) * values.count * 4 < SpoolWriter.gatheredSize)
        }
        #expect(written > 150)
        try writer.flush(ifOlderThan: .zero)
        #expect(try found(spool) == Array(0..<200))
    }

    @Test func `clips without reserved rows, or with more than those, go to the spool file`() throws {
        let spool = try Spool(folder: path)
        let writer = try spool.writer(0, rows: spool.inPlaceRows(bins: bins))
        let values = (0..<4).map { randomRows(20, seed: $0) }
        try gather(0, values[0], at: 0..<20, in: writer)
        try gather(1, values[1], at: 20..<39, in: writer)
        try gather(2, values[2], at: nil, in: writer)
        try gather(3, values[3], at: 39..<59, in: writer)
        try writer.flush(ifOlderThan: .zero)
        let reader = spool.reader()
        for clip in writer.takeWritten() {
            let position = try #require(clip.entry.position)
            #expect(try reader.whole(at: position).values == values[clip.clip])
            #expect(try (reader.finished(at: position).inPlace != nil) == [0, 3].contains(clip.clip))
        }
        #expect(try found(spool) == [0, 1, 2, 3])
    }

    @Test func `rows too far behind for any file are not an error`() throws {
        let spool = try Spool(folder: path)
        let writer = try spool.writer(0, rows: spool.inPlaceRows(bins: bins))
        let values = (0..<3).map { randomRows(20, seed: $0) }
        let far = 1 << 59
        for clip in 0..<3 { try gather(clip, values[clip], at: far + 20 * clip..<far + 20 * clip + 20, in: writer) }
        try writer.flush(ifOlderThan: .zero)
        for clip in writer.takeWritten() {
            #expect(try spool.reader().whole(at: #require(clip.entry.position)).values == values[clip.clip])
        }
        #expect(try found(spool) == [0, 1, 2])
    }

    @Test func `a large clip's pieces do not mix with clips that are gathered`() throws {
        let spool = try Spool(folder: path)
        let writer = try spool.writer(0)
        let small = (0..<4).map { randomRows(20, seed: $0) }
        let large = randomRows(400_000, seed: 9)
        try gather(0, small[0], at: nil, in: writer)
        writer.start(clip: 1)
        for first in stride(from: 0, to: large.count, by: 30_000) {
            try writer.append(Array(large[first..<min(first + 30_000, large.count)]))
        }
        try writer.gather(finishedClip(rows: 400_000, seed: 1))
        // Time is up in the middle of a clip.
        try gather(2, small[2], at: nil, in: writer)
        writer.start(clip: 3)
        try writer.append(Array(small[3][..<30]))
        try writer.flush(ifOlderThan: .zero)
        try writer.append(Array(small[3][30...]))
        try writer.gather(finishedClip(rows: 20, seed: 3))
        // Its rows belong to no clip.
        writer.start(clip: 4)
        for _ in 0..<20 { try writer.append(Array(large[..<30_000])) }
        try writer.gather(ClipFailure.nonFiniteFeatures)
        let last = try writer.write(clip: 5, small[1])
        let reader = spool.reader()
        let expected = [0: small[0], 1: large, 2: small[2], 3: small[3]]
        for clip in writer.takeWritten() where clip.seconds != nil {
            #expect(try reader.whole(at: #require(clip.entry.position)).values == expected[clip.clip])
        }
        #expect(try reader.whole(at: last).values == small[1])
        #expect(try found(spool) == [-4, 0, 1, 2, 3, 5])
    }
}
