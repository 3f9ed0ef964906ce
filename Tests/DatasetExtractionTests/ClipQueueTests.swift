import FeatureModel
import Foundation
import Manifests
import Synchronization
import TestSupport
import Testing

@testable import Concurrency
@testable import DatasetExtraction

struct ClipQueueTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The queue of a manifest of recordings that are so many clips each.
    private func queue(clips: Int, of each: Int = 1, workers: Int) throws -> ClipQueue {
        let rows = (0..<clips).map { "\($0),\($0 / each).wav\n" }.joined()
        let path = try folder.write("id,path\n" + rows, to: "manifest.csv")
        return try ClipQueue(Manifest.scan(path: path, format: .csv), workers: workers)
    }

    @Test(arguments: [(1, 1), (1, 8), (31, 1), (1000, 3), (5000, 16)])
    func `many threads get each clip once, each thread in rising order`(clips: Int, workers: Int) throws {
        let queue = try queue(clips: clips, of: 7, workers: workers)
        let seen = Mutex<[Int]>([])
        try WorkerPool.run(workers) { _ in
            var mine: [Int] = []
            while true {
                let block = try queue.next()
                if block.isEmpty { break }
                #expect(block.count <= 7 && Set(block.map(\.path)).count == 1)
                mine += block.map(\.index)
            }
            #expect(mine == mine.sorted())
            seen.withLock { $0 += mine }
        }
        #expect(seen.withLock { $0.sorted() } == Array(0..<clips))
        #expect(try queue.next().isEmpty)
    }

    @Test func `blocks get smaller towards the end`() throws {
        let queue = try queue(clips: 300, of: 300, workers: 2)
        var sizes: [Int] = []
        while case let block = try queue.next(), !block.isEmpty { sizes.append(block.count) }
        #expect(sizes.first == 32 && sizes.last == 1 && sizes == sizes.sorted(by: >))
    }

    @Test func `only neighbours of one recording are a block`() throws {
        let names = ["a", "a", "b", "a"] + Array(repeating: "c", count: 90)
        let rows = names.enumerated().map { "\($0),\($1).wav\n" }.joined()
        let path = try folder.write("id,path\n" + rows, to: "m.csv")
        let queue = try ClipQueue(Manifest.scan(path: path, format: .csv), workers: 1) { $0 == 4 }
        var blocks: [[Int]] = []
        while case let block = try queue.next(), !block.isEmpty { blocks.append(block.map(\.index)) }
        #expect(blocks.prefix(4).map(Array.init) == [[0, 1], [2], [3], Array(5..<27)])
        #expect(blocks.flatMap { $0 } == (0..<94).filter { $0 != 4 })
    }

    @Test func `several recordings are a block where they are asked for, and never one of them with others`() throws {
        let names = ["a", "b", "b", "b", "a", "c"] + (0..<100).map { "d\($0)" }
        let rows = names.enumerated().map { "\($0),\($1).wav\n" }.joined()
        let path = try folder.write("id,path\n" + rows, to: "m.csv")
        let queue = try ClipQueue(Manifest.scan(path: path, format: .csv), workers: 1)
        var blocks: [[Int]] = []
        while case let block = try queue.next(recordings: 7), !block.isEmpty { blocks.append(block.map(\.index)) }
        #expect(blocks.prefix(3).map(Array.init) == [[0, 1], [2, 3], Array(4..<11)])
        #expect(blocks.flatMap { $0 } == Array(0..<106) && blocks.last?.count == 1)
    }

    @Test func `nothing is handed out after a stop`() throws {
        let queue = try queue(clips: 100, workers: 1)
        #expect(try !queue.next().isEmpty)
        queue.stop()
        #expect(try queue.next().isEmpty)
    }

    @Test func `nothing is handed out after an error`() throws {
        let path = try folder.write("id,path\na,a.wav\nb,b.wav\n", to: "manifest.csv")
        let manifest = try Manifest.scan(path: path, format: .csv)
        let queue = try ClipQueue(manifest, workers: 1)
        _ = try folder.write("id,path\na,a.wav\na,b.wav\nc,c.wav\n", to: "manifest.csv")
        #expect(throws: ManifestError.self) { while try !queue.next().isEmpty {} }
        for _ in 0..<3 { #expect(try queue.next().isEmpty) }
    }

    @Test func `the pool runs every number once, and throws the first error after all have ended`() throws {
        struct Stop: Error, Equatable { let number: Int }
        let ended = Mutex<[Int]>([])
        let error = #expect(throws: Stop.self) {
            try WorkerPool.run(4) { number in
                if number == 2 { throw Stop(number: 2) }
                Thread.sleep(forTimeInterval: 0.05)
                ended.withLock { $0.append(number) }
            }
        }
        #expect(error == Stop(number: 2))
        #expect(ended.withLock { $0.sorted() } == [0, 1, 3])
    }
}
