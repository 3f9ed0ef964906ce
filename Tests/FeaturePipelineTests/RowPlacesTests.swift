import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeaturePipeline

struct RowPlacesTests {
    @Test(arguments: [1, 2, 7])
    func `every clip begins where the ones before it end, whoever announces first`(workers: Int) throws {
        var random = RandomSource(seed: UInt64(workers))
        let rows = (0..<3000).map { _ in Int.random(in: 0...9, using: &random) }
        let places = RowPlaces()
        let next = Atomic(0)
        let starts = Mutex<[Int: Int]>([:])
        try WorkerPool.run(workers) { _ in
            while true {
                let clip = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard clip < rows.count else { return }
                places.announce(clip, rows: rows[clip])
                guard rows[clip] > 0 else { continue }
                let start = places.start(of: clip)
                starts.withLock { $0[clip] = start }
            }
        }
        var row = 0
        let found = starts.withLock { $0 }
        for (clip, count) in rows.enumerated() {
            #expect(found[clip] == (count > 0 ? row : nil), "clip \(clip)")
            row += count
        }
    }

    @Test func `one that announces late is waited for`() throws {
        let places = RowPlaces()
        let found = Mutex<Int?>(nil)
        let thread = Thread {
            places.announce(1, rows: 5)
            let start = places.start(of: 1)
            found.withLock { $0 = start }
        }
        thread.start()
        usleep(20_000)
        #expect(found.withLock { $0 } == nil)
        places.announce(0, rows: 3)
        while !thread.isFinished { usleep(100) }
        #expect(found.withLock { $0 } == 3)
    }

    @Test func `behind a clip whose rows are not known, there are no places`() {
        let places = RowPlaces()
        for (clip, rows) in [(2, 4), (0, 2), (3, 1)] { places.announce(clip, rows: rows) }
        places.announce(1, rows: nil)
        places.announce(4, rows: 6)
        #expect((0..<5).map { places.start(of: $0) } == [0, nil, nil, nil, nil])
    }

    @Test
    func
        `a clip that fails before it is announced has no rows, after that it keeps them, and what comes twice is ignored`()
    {
        let places = RowPlaces()
        places.announce(0, rows: 2)
        places.announce(0, rows: 200)
        places.fail(1)
        places.announce(2, rows: 3)
        places.fail(2)
        places.announce(3, rows: 1)
        #expect((0..<4).map { places.start(of: $0) } == [0, nil, nil, 5])
        #expect(places.start(of: 0) == nil)
    }

    @Test func `a stop lets those go on who wait`() {
        let places = RowPlaces()
        places.announce(1, rows: 1)
        let thread = Thread { #expect(places.start(of: 1) == nil) }
        thread.start()
        usleep(10_000)
        places.stop()
        while !thread.isFinished { usleep(100) }
        places.announce(3, rows: 1)
        #expect(places.start(of: 3) == nil)
    }
}
