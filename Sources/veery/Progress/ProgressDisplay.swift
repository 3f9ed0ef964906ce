import Concurrency
import DatasetExtraction
import Foundation
import Presentation
import Synchronization

/// Shows on standard error how far an extraction is, until it is told to stop.
final class ProgressDisplay: Sendable {
    private let progress: ExtractionProgress
    private let style: ProgressStyle
    private let begin = ContinuousClock.now
    private let isStopped = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Begins to show it; `auto` becomes a bar or lines here.
    init(_ progress: ExtractionProgress, style: ProgressStyle) {
        self.progress = progress
        self.style = style == .auto ? (Console.isErrorTerminal ? .bar : .plain) : style
        guard self.style != .none else { return }
        do throws(NoThread) {
            try SystemThread.start { [self] in
                run()
                ended.signal()
            }
        } catch {
            // The work may well be done without being watched.
            ended.signal()
        }
    }

    /// Shows a line that stays.
    func note(_ text: String) {
        if style == .bar { Console.noteControl("\r\u{1B}[K") }
        Console.note(text)
    }

    /// Shows the last state and stops.
    func stop() {
        guard style != .none else { return }
        isStopped.withLock { $0 = true }
        ended.wait()
    }

    private func run() {
        let interval = style == .bar ? 0.1 : style == .json ? 1.0 : 10.0
        var nextShow = style == .bar ? 0.2 : interval
        while !isStopped.withLock({ $0 }) {
            Thread.sleep(forTimeInterval: 0.02)
            guard elapsed >= nextShow else { continue }
            nextShow = elapsed + interval
            show(progress.snapshot)
        }
        switch style {
        case .bar: Console.noteControl("\r\u{1B}[K")
        case .json: show(progress.snapshot)
        default: break
        }
    }

    private var elapsed: Double { begin.duration(to: .now) / .seconds(1) }

    private func show(_ snapshot: ExtractionProgress.Snapshot) {
        guard snapshot.phase != .preparing || style == .json else { return }
        switch style {
        case .bar: Console.noteControl("\r" + line(snapshot, width: Console.errorWidth - 3) + "\u{1B}[K")
        case .plain: Console.note(line(snapshot, width: nil))
        case .json: Console.note(ProgressEvent(snapshot, elapsed: elapsed, left: left(snapshot)).line)
        case .auto, .none: break
        }
    }

    /// Seconds that are left if clips go on as they went; nil before there is anything to go by.
    private func left(_ snapshot: ExtractionProgress.Snapshot) -> Double? {
        let new = snapshot.done - snapshot.resumed
        guard snapshot.phase == .extracting, new > 0 else { return nil }
        return elapsed / Double(new) * Double(snapshot.total - snapshot.done)
    }

    private func line(_ snapshot: ExtractionProgress.Snapshot, width: Int?) -> String {
        let share = snapshot.total > 0 ? Double(snapshot.done) / Double(snapshot.total) : 1
        var parts = [
            "\(Wording.count(snapshot.done)) of \(Wording.count(snapshot.total)) clips",
            "\(Wording.duration(snapshot.audioSeconds)) of audio",
        ]
        if snapshot.phase == .extracting {
            parts.append("\(Wording.count(Int(snapshot.newAudioSeconds / max(elapsed, 1e-3))))× real time")
            if let left = left(snapshot) { parts.append("\(Wording.duration(left.rounded())) left") }
        }
        if snapshot.failed > 0 { parts.append("\(Wording.count(snapshot.failed)) failed") }
        let verb = snapshot.phase == .assembling ? "writing" : "extracting"
        let percent = "\(Int(share * 100))%"
        let text = "\(verb) \(percent)  " + parts.joined(separator: " · ")
        guard let width else { return text }
        let room = min(24, width - text.count - 3)
        guard room >= 8 else { return String(text.prefix(max(width, 0))) }
        let filled = Int(share * Double(room))
        return "▕" + String(repeating: "█", count: filled) + String(repeating: "·", count: room - filled) + "▏ " + text
    }
}
