import Dispatch
import FeaturePipeline
import Foundation
import Synchronization

/// Turns SIGINT (Ctrl-C) and SIGTERM into a request to stop; a second one ends the program at once.
final class Interruption {
    /// What the work looks at.
    let cancellation = Cancellation()

    private let received = Received()
    private var sources: [any DispatchSourceSignal] = []

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - patience: After so much time the program ends, whatever the work is at; nil: it may take as long as it likes.
    ///   - lastWords: What is said then on standard error.
    init(patience: DispatchTimeInterval? = nil, lastWords: String = "") {
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [received, cancellation] in
                guard received.keep(number) else { _exit(128 + number) }
                cancellation.cancel()
                guard let patience else { return }
                DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
                    Console.note(lastWords)
                    _exit(128 + number)
                }
            }
            source.resume()
            sources.append(source)
        }
    }

    /// 130 after SIGINT, 143 after SIGTERM; nil where none came.
    var exitStatus: Int32? { received.number.map { 128 + $0 } }
}

/// The first signal that came.
private final class Received: Sendable {
    private let first = Mutex<Int32?>(nil)

    var number: Int32? { first.withLock { $0 } }

    /// Keeps a signal; false where one came before.
    func keep(_ number: Int32) -> Bool {
        first.withLock { first in
            guard first == nil else { return false }
            first = number
            return true
        }
    }
}
