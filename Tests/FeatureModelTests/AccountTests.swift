import TestSupport
import Testing

@testable import FeatureModel

struct AccountTests {
    /// Additions as a source makes them: kind, source, position, number of the name.
    private struct Addition {
        let kind: Remark.Kind
        let source: String
        let position: Int
        let name: String
        let count: Int
    }

    private static func additions(_ random: inout RandomSource, _ count: Int) -> [Addition] {
        let kinds: [Remark.Kind] = [.recordingsPassedOver, .columnsMisspelt, .lengthsDiffer]
        return (0..<count).map { _ in
            Addition(
                kind: kinds[Int.random(in: kinds.indices, using: &random)],
                source: ["a", "b", ""][Int.random(in: 0..<3, using: &random)],
                position: Int.random(in: 0..<5, using: &random), name: "n\(Int.random(in: 0..<9, using: &random))",
                count: 1 + Int.random(in: 0..<3, using: &random))
        }
    }

    private static func account(_ additions: some Sequence<Addition>) -> Account {
        var account = Account()
        for one in additions {
            if one.name == "n0" {
                account.add(one.kind, source: one.source, count: one.count)
            } else {
                account.add(one.kind, source: one.source, at: one.position, one.name, count: one.count)
            }
        }
        return account
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `merging is associative and commutative, and any order of additions gives one account`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let all = Self.additions(&random, 60)
        let whole = Self.account(all)
        let parts = [all[0..<7], all[7..<30], all[30...]].map { Self.account($0) }
        let (a, b, c) = (parts[0], parts[1], parts[2])
        #expect(a.merging(b) == b.merging(a))
        #expect(a.merging(b).merging(c) == a.merging(b.merging(c)))
        #expect(c.merging(a).merging(b) == whole)
        #expect(Self.account(all.reversed()) == whole)
        #expect(whole.merging(Account()) == whole)
        #expect(whole.remarks.reduce(0) { $0 + $1.count } == all.reduce(0) { $0 + $1.count }, "counts add up")
        for kind in Remark.Kind.allCases {
            #expect(whole.count(of: kind) == all.filter { $0.kind == kind }.reduce(0) { $0 + $1.count })
        }
        #expect(whole.remarks == whole.remarks.sorted() && whole.remarks.allSatisfy { $0.first.count <= 3 })
    }

    @Test func `the first names are those of the first positions, and no other is made`() {
        var account = Account()
        var made = 0
        func name(_ index: Int) -> String {
            made += 1
            return "\(index)"
        }
        for index in 0..<1000 { account.add(.lengthsDiffer, source: "s", at: index, name(index)) }
        #expect(account.remarks == [Remark(kind: .lengthsDiffer, source: "s", count: 1000, first: ["0", "1", "2"])])
        #expect(made == 3)
        account.add(.lengthsDiffer, source: "s", at: -1, "before")
        #expect(account.remarks.first?.first == ["before", "0", "1"])
    }

    @Test func `losses come first, then the kinds in their order, then the sources by their bytes`() {
        var account = Account()
        account.add(.othersSkipped, source: "x", count: 1)
        account.add(.endsCut, source: "x", "c")
        account.add(.lengthsDiffer, source: "é", "c")
        account.add(.lengthsDiffer, source: "z", "c")
        account.add(.recordingsPassedOver, source: "x", "c")
        #expect(
            account.remarks.map { "\($0.kind.rawValue) \($0.source)" } == [
                "recordings-passed-over x", "lengths-differ z", "lengths-differ é", "ends-cut x", "others-skipped x",
            ])
        #expect(account.hasLoss)
    }

    @Test func `adding nothing changes nothing, and a remark that is taken back is gone`() {
        var account = Account()
        account.add(.columnsUnused, source: "t", count: 0)
        account.add(.columnsUnused, source: "t", "x", count: 0)
        #expect(account.isEmpty && !account.hasLoss)
        account.add(.othersSkipped, source: "t", count: 3)
        account.remove(.othersSkipped, source: "t", count: 1)
        #expect(account.count(of: .othersSkipped) == 2)
        account.remove(.othersSkipped, source: "t", count: 2)
        #expect(account.isEmpty)
    }

    @Test func `names are kebab-case, and each bit of a clip has its kind`() {
        for kind in Remark.Kind.allCases {
            #expect(kind.rawValue.utf8.allSatisfy { (97...122).contains($0) || $0 == 45 }, "\(kind)")
        }
        #expect(Set(RecordingRemarks.kinds).count == RecordingRemarks.kinds.count)
        for kind in RecordingRemarks.kinds { #expect(RecordingRemarks(kind).kinds == [kind]) }
        #expect(RecordingRemarks.known.kinds == RecordingRemarks.kinds)
        #expect(RecordingRemarks(.columnsUnused).isEmpty)
    }
}
