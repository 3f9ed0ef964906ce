import ArgumentParser
import Concurrency
import DatasetExtraction
import Dispatch
import Essentials
import Messages
import Platform
import Presentation
import Synchronization

final class ProgressDisplay: Sendable {
    private let progress: ExtractionProgress
    private let style: ProgressStyle
    private let verb: String
    private let start = ContinuousClock.now
    private let isStopped = Mutex(false)
    private let saidSkipping = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the display; `auto` becomes a bar or lines.
    ///
    /// - Parameters:
    ///   - style: Nil: `auto`, or `none` where `isQuiet`.
    ///   - verb: The verb for what is done with the clips.
    init(
        _ progress: ExtractionProgress, style: ProgressStyle?, isQuiet: Bool = false, verb: String = "extracting"
    ) {
        (self.progress, self.verb) = (progress, verb)
        let style = style ?? (isQuiet ? ProgressStyle.none : .auto)
        self.style = style == .auto ? (Console.isErrorTerminal ? .bar : .plain) : style
        guard self.style != .none else { return }
        do throws(NoThread) {
            try SystemThread.start { [self] in
                run()
                ended.signal()
            }
        } catch {
            // Without a thread, nothing is displayed.
            ended.signal()
        }
    }

    func note(_ text: String) {
        if style == .bar { Console.noteControl("\r\u{1B}[K") }
        Console.note(text)
    }

    func stop() {
        guard style != .none else { return }
        isStopped.withLock { $0 = true }
        ended.wait()
    }

    private func run() {
        let interval = style == .bar ? 0.1 : style == .json ? 1.0 : 10.0
        var nextShow = style == .bar ? 0.2 : interval
        while !isStopped.withLock({ $0 }) {
            usleep(20_000)
            guard elapsed >= nextShow else { continue }
            nextShow = elapsed + interval
            remarkSkipping()
            show(progress.snapshot)
        }
        remarkSkipping()
        switch style {
        case .bar: Console.noteControl("\r\u{1B}[K")
        case .json: show(progress.snapshot)
        default: break
        }
    }

    /// Says once why so little is done, where decoders are far from the clips.
    private func remarkSkipping() {
        guard progress.skipped.seconds >= Self.longSkip, !saidSkipping.exchange(true, ordering: .relaxed) else {
            return
        }
        note(SkippingRemark.text)
    }

    /// Seconds of sound that are decoded in a few seconds.
    private static let longSkip = 3600.0

    private var elapsed: Double { start.duration(to: .now) / .seconds(1) }

    private func show(_ snapshot: ExtractionProgress.Snapshot) {
        guard snapshot.phase != .preparing || style == .json else { return }
        switch style {
        case .bar: Console.noteControl("\r" + line(snapshot, width: Console.errorWidth - 3) + "\u{1B}[K")
        case .plain: Console.note(line(snapshot, width: nil))
        case .json: Console.note(Self.event(snapshot, elapsed: elapsed, left: left(snapshot)))
        case .auto, .none: break
        }
    }

    static func event(_ snapshot: ExtractionProgress.Snapshot, elapsed: Double, left: Double?) -> String {
        let event = JSONObject(entries: [
            "phase": "\(snapshot.phase)", "done": snapshot.done, "total": snapshot.total, "failed": snapshot.failed,
            "resumed": snapshot.resumed, "audioSeconds": snapshot.audioSeconds, "elapsedSeconds": elapsed,
            "secondsLeft": left,
        ])
        return (try? JSONEncoder.reports([]).encode(event)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Estimated seconds left; nil before the first clip.
    private func left(_ snapshot: ExtractionProgress.Snapshot) -> Double? {
        let new = snapshot.done - snapshot.resumed
        guard snapshot.phase == .extracting, new > 0, snapshot.total > 0 else { return nil }
        return elapsed / Double(new) * Double(snapshot.total - snapshot.done)
    }

    private func line(_ snapshot: ExtractionProgress.Snapshot, width: Int?) -> String {
        let isKnown = snapshot.total > 0
        let share = isKnown ? Double(snapshot.done) / Double(snapshot.total) : 1
        var parts = [
            isKnown
                ? "\(Wording.count(snapshot.done)) of \(Wording.count(snapshot.total)) clips"
                : Wording.count(snapshot.done, "clip"),
            "\(Wording.duration(snapshot.audioSeconds)) of audio",
        ]
        if snapshot.phase == .extracting {
            parts.append("\(Wording.count(Int(snapshot.newAudioSeconds / max(elapsed, 1e-3))))× real time")
            if let left = left(snapshot) { parts.append("\(Wording.estimate(left)) left") }
        }
        if snapshot.failed > 0 { parts.append("\(Wording.count(snapshot.failed)) failed") }
        let verb = snapshot.phase == .assembling ? "writing" : verb
        let percent = isKnown ? " \(Int(share * 100))%" : ""
        let text = "\(verb)\(percent)  " + parts.joined(separator: " · ")
        guard let width, isKnown else { return String(text.prefix(max(width ?? .max, 0))) }
        let room = min(24, width - text.count - 3)
        guard room >= 8 else { return String(text.prefix(max(width, 0))) }
        let filled = Int(share * Double(room))
        return "▕" + String(repeating: "█", count: filled) + String(repeating: "·", count: room - filled) + "▏ " + text
    }
}

enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
    /// A bar on a terminal, lines elsewhere.
    case auto
    /// A bar, redrawn in one line.
    case bar
    /// A line every ten seconds.
    case plain
    /// A JSON object a line, every second (`Schemas/progress-event.schema.json`).
    case json
    case none

    static var allValueStrings: [String] { allCases.map { $0.rawValue } }
}
