import Testing

@testable import ClipSpool

struct SpoolIndexTests {
    private static let positions = [
        (0, 0), (1, 1 << 43), (65_533, (1 << 44) - 1), (1_048_573, (1 << 44) - 1), (512, 123_456_789_012),
    ].map {
        SpoolPosition(file: $0, offset: $1)
    }

    @Test func `every entry comes back from its twelve bytes`() {
        var entries: [SpoolEntry] = [.pending]
        for position in Self.positions {
            for rows in [0, 1, Int(Int32.max)] { entries.append(.spooled(position, rows: rows)) }
            entries += [.failed(position), .rejected(position), .inFeatureFile(index: position.offset, rows: 7)]
        }
        let index = SpoolIndex(clips: entries.count)
        for (clip, entry) in entries.enumerated() { index[clip] = entry }
        #expect(entries.indices.map { index[$0] } == entries)
        #expect(
            Set(entries.map { [$0.packed.location, UInt64(bitPattern: Int64($0.packed.rows))] }).count
                == Set(entries).count)
        let (location, rows) = SpoolEntry.pending.packed
        #expect(MemoryLayout.size(ofValue: location) + MemoryLayout.size(ofValue: rows) == 12)
    }

    @Test func `an index counts what it holds`() {
        let index = SpoolIndex(clips: 6)
        #expect(index.done == 0 && index.totals == (0, 0, 0))
        index[0] = .spooled(Self.positions[0], rows: 5)
        index[1] = .failed(Self.positions[1])
        index[2] = .inFeatureFile(index: 0, rows: 5)
        index[3] = .rejected(Self.positions[2])
        index[4] = .spooled(Self.positions[3], rows: 0)
        #expect(index.done == 5 && index.kept == 1)
        #expect(index.totals == (clips: 3, rows: 10, failures: 2))
        #expect(index.lengths { 10 * $0 } == [50: 1, 5: 1, 0: 1])
        #expect(index.totals { 10 * $0 } == (clips: 3, rows: 55, failures: 2))
        index.forgetSpooled()
        #expect((0..<6).map { index[$0] != .pending } == [false, false, true, false, false, false])
    }

    @Test func `clips of an interrupted run are noted, whichever of two records is read first`() {
        let (early, late) = (Self.positions[0], Self.positions[3])
        for records: [SpoolScan.Entry] in [
            [.failed(clip: 1, early), .finished(clip: 1, late, rows: 3, seconds: 1)],
            [.finished(clip: 1, late, rows: 3, seconds: 1), .failed(clip: 1, early)],
        ] {
            let index = SpoolIndex(clips: 2)
            for record in records { index.note(record) }
            #expect(index[1] == .spooled(late, rows: 3))
        }
    }

    @Test func `records that cannot be clips of the manifest are ignored`() {
        let index = SpoolIndex(clips: 2)
        index.note(.finished(clip: 2, Self.positions[0], rows: 1, seconds: 1))
        index.note(.failed(clip: -1, Self.positions[0]))
        index.note(.finished(clip: 0, Self.positions[0], rows: Int(Int32.max) + 1, seconds: 1))
        #expect(index.done == 0)
    }
}
