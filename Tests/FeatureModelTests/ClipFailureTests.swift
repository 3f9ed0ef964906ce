import FeatureModel
import Foundation
import TestSupport
import Testing

struct ClipFailureTests {
    private static let table = ClipFailureTable.rows
    private static let (gone, full) = (ClipFailureTable.gone, ClipFailureTable.full)

    @Test(arguments: table.indices) func `stage, kind and sentence follow from the case`(row: Int) {
        let (failure, stage, kind, reason) = Self.table[row]
        #expect(failure.stage == stage && failure.kind.rawValue == kind && failure.reason == reason)
        #expect("\(failure)" == "\(stage.rawValue): \(reason)" && "\(FailureRecord(failure))" == "\(failure)")
        #expect(FailureRecord(failure) == FailureRecord(stage: stage, kind: kind, reason: reason))
        #expect(failure == failure, "a sample that is not a number, too")
    }

    @Test func `the table has every kind, each is short snake case`() {
        #expect(Set(Self.table.map(\.failure.kind)) == Set(ClipFailure.Kind.allCases))
        for kind in ClipFailure.Kind.allCases {
            #expect(kind.rawValue.utf8.count <= 32 && kind.rawValue.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil)
        }
    }

    @Test func `the page on the format lists every kind with its stage`() throws {
        let page = try String(
            contentsOf: Fixtures.repository.appending(path: "Schemas/features-1.0.md"), encoding: .utf8)
        let listed = page.matches(of: /\| `(open|decode|condition|transform|store)` \| `([a-z_]+)` \|/)
            .map { "\($0.1) \($0.2)" }
        #expect(listed == ClipFailure.Kind.allCases.map { "\($0.stage.rawValue) \($0.rawValue)" })
    }

    @Test func `recordings that cannot be opened or read are tried again, whatever the sentence says`() {
        for failure in Self.table.map(\.failure) {
            let isTransient = failure.stage == .open || failure.kind == .cannotRead
            #expect(failure.isTransient == isTransient && FailureRecord(failure).isTransient == isTransient)
        }
        // Its words are those of a failed read, but the decoder said them.
        let words = ClipFailure.damaged(frame: 0, .decoder("cannot read the file: Input/output error"))
        #expect(!words.isTransient)
        #expect(
            !FailureRecord(stage: .decode, kind: "damaged", reason: ClipFailure.cannotRead(Self.gone).reason)
                .isTransient)
        // Without a kind, or with one of a later version, the stage decides.
        for kind in [nil, "of_a_later_version"] {
            let stages = ClipFailure.Stage.allCases.filter {
                FailureRecord(stage: $0, kind: kind, reason: "x").isTransient
            }
            #expect(stages == [.open, .decode])
        }
    }

    @Test func `a fault of the system is recognised by its code, not by its words`() {
        #expect(ClipFailure.cannotOpen(Self.full).isSystemFault && ClipFailure.cannotRead(Self.full).isSystemFault)
        #expect(ClipFailure.notDecodable(words: "x", Self.full).isSystemFault)
        for failure in Self.table.map(\.failure) where failure != .cannotRead(Self.full) {
            #expect(!failure.isSystemFault, "\(failure)")
        }
        #expect(!ClipFailure.notDecodable(words: Self.full.message, nil).isSystemFault)
    }

    @Test func `records are compared whole, or by the rest where one has no kind`() {
        let record = FailureRecord(.tooShort(minimum: 2, sampleRate: 8000, found: 1))
        let old = FailureRecord(stage: .transform, kind: nil, reason: record.reason)
        #expect(record.isSame(as: record) && record.isSame(as: old) && old.isSame(as: record))
        #expect(!record.isSame(as: FailureRecord(.tooShort(minimum: 2, sampleRate: 8000, found: 0))))
        #expect(!record.isSame(as: FailureRecord(stage: .transform, kind: "other", reason: record.reason)))
        #expect(!old.isSame(as: FailureRecord(stage: .store, kind: nil, reason: record.reason)))
    }
}
