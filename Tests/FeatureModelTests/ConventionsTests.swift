import FeatureModel
import Foundation
import TestSupport
import Testing

struct ConventionsTests {
    @Test func `the page names every key, every value and every preset`() throws {
        let url = Fixtures.repository.appending(path: "Schemas/conventions.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        func names<Choice: CaseIterable & RawRepresentable>(_ type: Choice.Type) -> [String]
        where Choice.RawValue == String { Choice.allCases.map(\.rawValue) }
        let plain =
            names(Preset.self) + names(TransformConfiguration.Kind.self) + names(ScaleConfiguration.Kind.self)
            + names(FrameAlignment.self) + names(EdgePadding.self) + names(MelScale.self) + names(MelNormalization.self)
            + names(TriangleDomain.self) + names(SpectrumKind.self) + names(CepstrumConfiguration.Normalization.self)
            + names(CepstrumConfiguration.Zeroth.self) + names(CosineNormalization.self)
            + names(NormalizeConfiguration.Method.self)
        for name in plain { #expect(text.contains("`\(name)`") || text.contains(": \(name)`"), "\(name)") }
        for window in names(WindowFunction.Kind.self) {
            #expect(text.contains("| `\(window)` |") || text.contains("| `{kind: \(window), "), "\(window)")
        }
        for type in CosineTransformType.allCases { #expect(text.contains("`dct`, `type: \(type.rawValue)`")) }
    }
}
