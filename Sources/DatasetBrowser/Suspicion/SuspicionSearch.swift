import Concurrency
import DatasetInspection
import FeatureModel
import FeatureStorage
import FileIO
import PageRequests
import Synchronization

/// The search for clips that may be wrong, on a thread of its own. It starts when it is first asked for.
final class SuspicionSearch: Sendable {
    private enum State: Sendable {
        case waiting
        /// With the share that is done.
        case computing(Double)
        /// The answer.
        case done([UInt8])
        /// Why there is no answer.
        case none(String)
    }

    private let facts: DatasetFacts
    private let jobs: Int
    private let state: Mutex<State>

    /// Seconds after which a page asks again.
    private static let pause = 1

    init(of facts: DatasetFacts, jobs: Int) {
        (self.facts, self.jobs) = (facts, jobs)
        state = Mutex(
            facts.features == nil
                ? .none("Labels are judged by features: open the file that 'veery extract' makes of this manifest.")
                : .waiting)
    }

    /// What is known so far.
    func answer() -> PageResponse {
        let isFirst = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .computing(0)
            return true
        }
        if isFirst { start() }
        switch state.withLock({ $0 }) {
        case .waiting: return Self.unfinished(0)
        case .computing(let share): return Self.unfinished(share)
        case .done(let bytes): return .json(bytes)
        case .none(let reason):
            return .json { json in
                json.member("state", "none")
                json.member("done", 1)
                json.member("note", reason)
            }
        }
    }

    private static func unfinished(_ share: Double) -> PageResponse {
        var response = PageResponse.json { json in
            json.member("state", "computing")
            json.member("done", share)
            json.member("note", "")
        }
        response.headers.append(PageHeader("Retry-After", "\(pause)"))
        return response
    }

    private func start() {
        do throws(NoThread) {
            try SystemThread.start { [self] in
                let result: State
                do { result = .done(try bytes()) } catch { result = .none("\(error)") }
                state.withLock { $0 = result }
            }
        } catch {
            state.withLock { $0 = .none(error.description) }
        }
    }

    private func bytes() throws -> [UInt8] {
        // A reader of its own: other requests go on meanwhile.
        let reader = try FeatureReader(path: facts.path)
        let census = try ClipCensus.take(reader)
        let duplicates = try Duplicates.find(reader, census)
        let clipping = try ClippingSearch.run(reader, census, root: facts.root, seed: 0, jobs: jobs)
        let suspicion = try Suspicion.take(
            reader, duplicates: duplicates, clipping: clipping, jobs: jobs,
            progress: { share in state.withLock { $0 = .computing(share) } })
        var json = JSONBuilder()
        try write(suspicion, of: reader, to: &json)
        return json.bytes
    }

    private func write(_ suspicion: Suspicion, of reader: FeatureReader, to json: inout JSONBuilder) throws {
        var reasons: [(clip: Int, words: [String])] = []
        for suspect in suspicion.suspects {
            let words = try suspect.reasons.map { reason in
                try reason.words(labels: facts.labels) { clip in try reader.texts(.id, ofClips: clip..<clip + 1)[0] }
            }
            reasons.append((suspect.clipIndex, words))
        }
        json.object { json in
            json.member("state", "done")
            json.member("done", 1)
            json.member("note", suspicion.notes.map { $0.words.capitalizedFirst + "." }.joined(separator: " "))
            json.member("score", of: suspicion.scores) { $0.element($1) }
            json.key("reasons")
            json.object { json in for one in reasons { json.member("\(one.clip)", one.words) } }
            json.key("suggested")
            json.object { json in
                for suspect in suspicion.suspects {
                    if let label = suspicion.suggestedLabel(of: suspect.clipIndex), facts.labels.indices.contains(label)
                    {
                        json.member("\(suspect.clipIndex)", facts.labels[label])
                    }
                }
            }
            json.member("order", suspicion.suspects.map(\.clipIndex))
            json.member("floorShare", of: suspicion.floorShares) { $0.element($1) }
            json.member("pairs", of: suspicion.pairs) { json, pair in
                json.object { json in
                    json.member("a", pair.first)
                    json.member("b", pair.second)
                    json.member("similarity", pair.similarity)
                    json.member("splits", pair.areInDifferentSplits)
                    json.member("equal", pair.areEqual)
                }
            }
        }
    }

}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
