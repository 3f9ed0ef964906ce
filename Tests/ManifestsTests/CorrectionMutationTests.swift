import FeatureModel
import TestSupport
import Testing

@testable import Manifests

/// Files of corrections that were damaged in any way.
struct CorrectionMutationTests {
    private static let pieces: [[UInt8]] = [
        "\"", "\n", "\r\n", ",", "#torn", ",#torn\n", "\",#torn\n", "#", ";", "\t", "\0", "\"\"", "a,,,,,checked,,,,\n",
        "undo", "\u{FEFF}", "é",
    ].map { Array($0.utf8) }

    private static func mutated(_ bytes: [UInt8], from start: Int, _ generator: inout CorrectionGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<generator.pick([1, 1, 2, 4]) {
            let at = generator.pick(Array(start...max(bytes.count, start)))
            switch generator.pick([0, 1, 2, 3, 4]) {
            case 0: bytes.insert(contentsOf: generator.pick(pieces), at: at)
            case 1 where at < bytes.count: bytes[at] = UInt8(truncatingIfNeeded: generator.random.next())
            case 2 where at < bytes.count: bytes[at] ^= 1 << UInt8(generator.random.next() % 8)
            case 3: bytes.removeSubrange(at..<min(at + generator.pick([1, 2, 30]), bytes.count))
            default: bytes.removeSubrange(at...)
            }
        }
        return bytes
    }

    private static func read(_ bytes: [UInt8]) throws(CorrectionError) -> [NumberedCorrection] {
        let text = try CorrectionTable.text(of: bytes, path: "c.csv")
        return try CorrectionTable(path: "c.csv", text.bytes).lines()
    }

    @Test(arguments: 0..<10) func `no damage confuses the lines that follow, or crashes`(seed: UInt64) throws {
        var generator = CorrectionGenerator(seed: 1000 + seed)
        let header = correctionBytes([]).count
        var refused = 0
        for _ in 0..<1000 {
            let whole = correctionBytes((0..<generator.pick([0, 1, 3])).map { _ in generator.correction() })
            let bytes = Self.mutated(whole, from: header, &generator)
            let text = CorrectionText(bytes)
            let ends = bytes.prefix(text.byteCount).count { $0 == 0x0A }
            #expect(text.byteCount <= bytes.count && text.nextLine == 1 + ends)
            #expect(
                text.bytes.count { $0 == 0x0A } == ends, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            #expect(text.torn.allSatisfy { 1...text.nextLine ~= $0 })
            guard let lines = try? Self.read(bytes) else {
                refused += 1
                continue
            }
            // The next line is whole, whatever was torn before.
            let next = generator.correction()
            let line = Array(correctionBytes([next]).dropFirst(header))
            let longer = try Self.read(bytes + CorrectionText.ending(of: bytes) + line)
            #expect(
                longer.map(\.correction) == lines.map(\.correction) + [next],
                "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
        #expect(refused < 900)
    }

    @Test(arguments: 0..<10) func `of a file that was cut anywhere, the lines before are read`(seed: UInt64) throws {
        var generator = CorrectionGenerator(seed: 2000 + seed)
        let all = (0..<3).map { _ in generator.correction() }
        let whole = correctionBytes(all)
        for cut in correctionBytes([]).count...whole.count {
            let count = (0...3).last { correctionBytes(Array(all[..<$0])).count <= cut } ?? 0
            #expect(try Self.read(Array(whole[..<cut])).map(\.correction) == Array(all[..<count]))
        }
    }
}
