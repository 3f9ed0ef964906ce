import FeatureModel
import Testing

@testable import Plotting

/// Frames start a little later than the signal, at whose start the time axis starts.
struct SignalStartTests {
    private func layout(start: Double?, first: Double) throws -> PictureLayout {
        let panel = try SpectrogramPanel(
            matrix: Sample.tone(rows: 98, bins: 20, bright: [3]), axis: .coefficients, framePeriod: 0.01,
            firstFrameTime: first, signalStart: start, title: "clip")
        return try Sample.picture(panels: [panel]).drawn().layout
    }

    @Test func `the time axis has a tick at 0 though the first frame begins later`() throws {
        // 25 ms every 10 ms: the first frame's centre is at 12.5 ms, its left edge at 7.5 ms.
        let with = try layout(start: 0, first: 0.0125)
        #expect(with.timeTicks.first?.label == "0.0" && with.timeTicks.first?.position == 0)
        let panel = with.panels[0]
        #expect(panel.time.range.lowerBound == 0 && (panel.time.range.upperBound - 0.9875).magnitude < 1e-9)
        // The frames are where they were: 7.5 ms from the left.
        let width = Double(panel.body.width)
        #expect(panel.filled.x - panel.body.x == Int((0.0075 / 0.9875 * width).rounded()))
        #expect(panel.filled.right == panel.body.right)
        #expect((panel.column(of: 0.0075) - Double(panel.filled.x)).magnitude <= 0.5)
        let without = try layout(start: nil, first: 0.0125)
        #expect(without.timeTicks.first?.label != "0.0" && without.panels[0].filled == without.body)
    }

    @Test func `frames that start before the signal are not cut`() throws {
        let panel = try layout(start: 0, first: 0).panels[0]
        #expect(panel.time.range.lowerBound == -0.005 && panel.filled == panel.body)
    }
}
