import FeatureModel
import Foundation
import TestSupport

@testable import Manifests

/// Generates corrections from a seed.
struct CorrectionGenerator {
    var random: RandomSource
    private static let texts = [
        "", "wren", "robin", "a,b", "say \"hi\"", "é", "e\u{301}", " blank ", "5\" disk", "x|y",
    ]

    init(seed: UInt64) { random = RandomSource(seed: seed) }

    mutating func pick<Element>(_ values: [Element]) -> Element { values[Int(random.next() % UInt64(values.count))] }

    mutating func action() -> Correction.Action {
        let text = pick(Self.texts)
        let label = text.isEmpty ? "owl" : text
        return pick([
            .relabel(text), .add(label), .remove(label), .add(pick(["wren", "robin"])), .exclude, .include, .checked,
            .note(text), .undo, .undo,
        ])
    }

    mutating func correction(ids: [String] = ["a", "b", "é", "e\u{301}"]) -> Correction {
        let audio: [CorrectedAudio?] = [
            nil, .samples(String(repeating: "0f", count: 16)), .recording(.init(byteCount: 12, modified: -3)),
        ]
        return Correction(
            id: pick(ids),
            part: CorrectedPart(
                path: pick(["", "a.wav", "x/é, 1.wav"]), start: pick([nil, 0, 0.1]), end: pick([nil, 1.0 / 3]),
                audio: pick(audio)),
            action: action(), given: pick(["", "2026-05-04T09:12:30Z"]), by: pick(Self.texts))
    }

    mutating func lines(_ count: Int) -> [NumberedCorrection] {
        (0..<count).map { NumberedCorrection(line: $0 + 2, correction()) }
    }
}

/// The bytes of a file with these corrections.
func correctionBytes(_ corrections: [Correction], header: Bool = true) -> [UInt8] {
    (header ? ManifestWriter.csv(CorrectionColumn.names) : [])
        + corrections.flatMap { correction in
            ManifestWriter.csv(CorrectionColumn.allCases.map { $0.value(correction) })
        }
}

extension TemporaryFolder {
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }
}
