import FeatureModel
import FeatureStorage
import Messages
import TestSupport
import Testing

@testable import DatasetExtraction

/// What a sync says of a manifest and its file, without files.
struct SyncChangesTests {
    /// A clip as a manifest has it.
    private struct Row: Hashable {
        var id: String
        var label = "a"
        var split = "train"
        var note = ""
    }

    private static let columns = SharedColumns(stored: ["note"], wanted: ["note"])

    private func clip(_ row: Row, _ index: Int) -> Clip {
        Clip(index: index, id: row.id, path: "\(row.id).wav", label: row.label, split: row.split, extra: [row.note])
    }

    private func stored(_ row: Row) -> StoredClip {
        StoredClip(
            id: row.id, path: "\(row.id).wav", label: row.label, split: row.split, labelIndex: 0,
            measurement: ClipMeasurement(sampleRate: 8000, channels: 1, start: 0, duration: 1), frameStart: 0,
            frameCount: 1, audioChecksum: "", tensorChecksum: "", extra: [row.note])
    }

    /// The plan from one manifest to another, of clips whose recordings have not changed.
    private func plan(_ before: [Row], _ after: [Row]) -> SyncChanges {
        var plan = SyncChanges()
        let indices = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1.id, $0) })
        for (number, row) in after.enumerated() {
            guard let index = indices[row.id] else {
                plan.note(.added, row.id)
                continue
            }
            plan.keep(stored(before[index]), index: index, as: clip(row, number), Self.columns)
        }
        let ids = Set(after.map(\.id))
        let removed = before.map(\.id).filter { !ids.contains($0) }
        plan.note(.removed, count: removed.count, ids: removed)
        return plan
    }

    private func rows(_ random: inout RandomSource) -> [Row] {
        let ids = (0..<12).map { "c\($0)" }.shuffled(using: &random).prefix(Int.random(in: 1...12, using: &random))
        return ids.map { id in
            Row(
                id: id, label: ["a", "b", "\u{e9}", "e\u{301}"].randomElement(using: &random) ?? "",
                split: ["train", ""].randomElement(using: &random) ?? "",
                note: ["", "x"].randomElement(using: &random) ?? "")
        }
    }

    @Test func `a clip of other times or channel is another, also where its recording is missing`() throws {
        func mayBe(_ start: Double, _ end: Double?, channel: Int? = nil, path: String = "c.wav") throws -> Bool {
            let segment = try #require(Segment(start: start, end: end))
            let clip = Clip(index: 0, id: "c", path: path, label: "", split: "", segment: segment, channel: channel)
            return stored(Row(id: "c")).mismatch(with: clip, overshoot: nil) == nil
        }
        #expect(try mayBe(0, 1) && mayBe(0, 1.001) && mayBe(0, nil))
        #expect(try !mayBe(0, 1.01) && !mayBe(0, 0.99) && !mayBe(0.001, 1) && !mayBe(0.001, nil))
        #expect(try !mayBe(0, 1, channel: 0) && !mayBe(0, 1, path: "d.wav"))
    }

    @Test func `only a sync of equal manifests is empty`() {
        var random = RandomSource(seed: 1)
        for _ in 0..<300 {
            let (one, other) = (rows(&random), rows(&random))
            #expect(plan(one, one).isEmpty)
            #expect(plan(one, one).count(.unchanged) == one.count)
            // Texts are compared by their bytes: Swift takes \u{e9} and e\u{301} as equal.
            let areEqual = one.elementsEqual(other) {
                $0.id == $1.id && $0.label.utf8.elementsEqual($1.label.utf8) && $0.split == $1.split
                    && $0.note == $1.note
            }
            #expect(plan(one, other).isEmpty == areEqual)
        }
    }

    @Test func `a sync back removes what was added, adds what was removed, and changes as many clips`() {
        var random = RandomSource(seed: 2)
        for _ in 0..<300 {
            let (one, other) = (rows(&random), rows(&random))
            let (there, back) = (plan(one, other), plan(other, one))
            #expect(there.count(.added) == back.count(.removed) && there.count(.removed) == back.count(.added))
            for change in [SyncChanges.Change.relabelled, .resplit, .edited] {
                #expect(there.count(change) == back.count(change))
            }
            #expect((there.count(.reordered) == 0) == (back.count(.reordered) == 0))
            let kept = other.count - there.count(.added)
            #expect(there.count(.unchanged) <= kept && one.count - there.count(.removed) == kept)
            #expect(there.ids(.added).count == min(there.count(.added), SyncChanges.named))
        }
    }

    @Test func `columns are those of their names, and a missing one is empty`() {
        let columns = SharedColumns(stored: ["a", "b", "old"], wanted: ["b", "new", "a"])
        #expect(columns.areEqual(["1", "2", ""], ["2", "", "1"]))
        #expect(!columns.areEqual(["1", "2", "x"], ["2", "", "1"]))
        #expect(!columns.areEqual(["1", "2", ""], ["2", "x", "1"]))
        #expect(!columns.areEqual(["1", "2", ""], ["1", "", "2"]))
    }

    @Test func `versions of other libraries are named, and those that only one file names are not`() {
        let before = #"{"soxr":"0.1.3","fftw":"3.3","old":"1"}"#
        #expect(SoftwareVersions.differences(from: before, to: before, .libraries).isEmpty)
        let now = #"{"soxr":"0.1.4","fftw":"3.3","ffmpeg":"7"}"#
        #expect(
            SoftwareVersions.differences(from: before, to: now, .libraries)
                == [.version(of: "soxr", before: "0.1.3", now: "0.1.4")])
    }

    @Test func `a file that names no transform has that of FFTW`() {
        let (fftw, lanes) = (#"{"fftw":"3.3"}"#, #"{"fftw":"3.3","transform":"lanes 1"}"#)
        let difference = Difference.transform(before: nil, now: "lanes 1")
        for asked in [Tolerance.Software.all, .program, .libraries, .transform] {
            #expect(SoftwareVersions.differences(from: fftw, to: lanes, asked) == [difference])
            #expect(SoftwareVersions.differences(from: lanes, to: lanes, asked).isEmpty)
        }
        #expect(
            SoftwareVersions.differences(from: lanes, to: fftw, .transform)
                == [.transform(before: "lanes 1", now: nil)])
        #expect(SoftwareVersions.differences(from: fftw, to: lanes, .nothing).isEmpty)
    }

    @Test func `versions that cannot be read are equal only if the texts are`() {
        #expect(SoftwareVersions.differences(from: "?", to: "?", .all).isEmpty)
        #expect(SoftwareVersions.differences(from: "?", to: "{}", .all) == [.software(before: "?", now: "{}")])
    }
}
