import Annotations
import FeatureModel
import FileIO
import Manifests
import Messages
import PageRequests
import Synchronization

/// Answers the requests of a page that shows a dataset, plays its clips and takes corrections of their labels: the interface that
/// `interface.md` describes. The only file that it writes is that of the corrections.
package final class DatasetBrowser: PageHandler {
    package struct Options: Sendable {
        /// The file of corrections, which need not exist.
        package var corrections: String
        /// Whether the user named that file: then no other is looked for.
        package var areCorrectionsGiven = false
        /// How the program was called, for the page to show.
        package var command = ""
        package var version = ""
        /// Annotations to draw; nil: none.
        package var annotations: AnnotationTable?
        /// Threads of the search for clips that may be wrong.
        package var jobs = 1

        package init(corrections: String) { self.corrections = corrections }
    }

    private let dataset: any BrowsedDataset
    private let options: Options
    private let store: CorrectionStore
    private let suspicion: SuspicionSearch
    /// The given files as they were opened.
    private let original: String
    /// What clips were found to be when their samples were read.
    private let heard = Mutex<[Int: Heard]>([:])
    /// The recordings of clips when they were last looked at.
    private let stamps = Mutex<[Int: FileStamp]>([:])

    /// The sounds that were asked for last, the newest first.
    private let played = Mutex<[(key: PlayedPart, samples: [Float])]>([])

    private struct Heard: Sendable {
        let level: SoundLevel
        let duration: Double
        /// Whether its samples differ from those that the features were computed from.
        let hasChanged: Bool
    }

    private struct PlayedPart: Hashable, Sendable {
        let part: Clip
        let stamp: FileStamp
    }

    private var facts: DatasetFacts { dataset.facts }

    private static let maximumClips = 50_000
    private static let keptSounds = 2
    private static let maximumFrames = 1 << 25
    /// Clips of more seconds have no level.
    private static let maximumLevel = 600.0
    /// Seconds before and after a clip in which clips of the same recording are marks.
    private static let markedContext = 60.0
    private static let maximumMarks = 500
    private static let maximumSpan = 4096

    /// Browses a feature file, or a set.
    ///
    /// - Parameter root: The folder that relative paths of recordings start from; nil: the one that the file names.
    /// - Throws: `StorageError`; `CorrectionError`.
    package convenience init(features path: String, root: String?, _ options: Options) throws {
        let dataset = try StoredDataset(path: path, root: root)
        var options = options
        if let sum = dataset.facts.features?.correctionsChecksum {
            options.corrections = try CorrectionsOfFeatures.path(
                options.corrections, isGiven: options.areCorrectionsGiven, of: path, sha256: sum)
        }
        try self.init(dataset, options)
    }

    /// Browses a manifest.
    ///
    /// - Throws: `ManifestError`; `CorrectionError`.
    package convenience init(manifest: Manifest, root: String, _ options: Options) throws {
        try self.init(ListedDataset(manifest, root: root), options)
    }

    private init(_ dataset: any BrowsedDataset, _ options: Options) throws {
        (self.dataset, self.options) = (dataset, options)
        original = Self.status(dataset.facts)
        store = try CorrectionStore(path: options.corrections, of: dataset)
        suspicion = SuspicionSearch(of: dataset.facts, jobs: options.jobs)
    }

    package func answer(_ request: PageRequest) -> PageResponse {
        do {
            guard request.path.first == "api" else {
                guard request.path.count < 2, request.method != .post,
                    let page = Pages.response(request.path.first ?? "")
                else { throw Refusal(.notFound, "There is no such page.") }
                return page
            }
            return try answer(request, to: Array(request.path.dropFirst()))
        } catch let refusal as Refusal {
            return .error(refusal.status, refusal.sentence)
        } catch let error as CorrectionError {
            if case .unwritable = error { return .error(.badRequest, "\(error)") }
            return .error(.internalError, "\(error)")
        } catch {
            return .error(.internalError, "\(error)")
        }
    }

    private func answer(_ request: PageRequest, to path: [String]) throws -> PageResponse {
        if request.method == .post {
            guard path == ["corrections"] else { throw Refusal(.methodNotAllowed, "This address takes no POST.") }
            return try correct(try CorrectionRequest(request.body))
        }
        switch path.first {
        case "state" where path.count == 1:
            let count = try store.lines(from: .max).count
            return .json { json in
                json.member("generation", generation)
                json.member("corrections", count)
            }
        case "corrections" where path.count == 1:
            return CorrectionAnswers.lines(try store.lines(from: request.number("after") ?? 0))
        default: try refuseReplaced()
        }
        switch path.first {
        case "dataset" where path.count == 1:
            return DatasetAnswers.dataset(
                facts, command: options.command,
                corrections: options.corrections.split(separator: "/").last.map(String.init) ?? "",
                generation: generation, version: options.version)
        case "suspicion" where path.count == 1: return suspicion.answer()
        case "clips" where path.count == 1: return try clips(request)
        case "clips" where path.count < 4:
            guard let number = Int(path[1]), 0..<facts.count ~= number,
                let clip = try dataset.clips(number..<number + 1).first
            else { throw Refusal(.notFound, "There is no such clip.") }
            return try answer(request, about: clip, path.count > 2 ? path[2] : "")
        default: throw Refusal(.notFound, "There is no such address.")
        }
    }

    // MARK: - The dataset's file

    /// Changes when the given file, or that of the corrections, becomes another one.
    private var generation: String { "\(facts.fingerprint)-\(Self.status(facts))-\(store.replacements)" }

    /// What the system says of the given file, and of the files of a set.
    private static func status(_ facts: DatasetFacts) -> String {
        var hash = XXH3Hash128()
        for path in [facts.path] + facts.members {
            let file = FileStatus(path: path)
            var numbers: [UInt64] = file.map { [$0.identity.device, $0.identity.inode] } ?? []
            // Files may come and go in a folder.
            if let file, !file.isFolder {
                numbers += [file.stamp.byteCount, file.stamp.modified].map { UInt64(bitPattern: $0) }
            }
            numbers.append(UInt64(numbers.count))
            numbers.withUnsafeBytes { hash.update($0) }
        }
        return hash.finish().hex
    }

    private func refuseReplaced() throws(Refusal) {
        guard Self.status(facts) == original else {
            throw Refusal(
                .gone,
                "\(facts.name) was replaced or changed. Start 'veery browse' again, and open the address that it prints."
            )
        }
    }

    // MARK: - Clips

    private func clips(_ request: PageRequest) throws -> PageResponse {
        let first = min(max(request.number("from") ?? 0, 0), facts.count)
        let count = min(max(request.number("count") ?? Self.maximumClips, 0), Self.maximumClips, facts.count - first)
        let clips = try dataset.clips(first..<first + count)
        let heard = heard.withLock { $0 }
        return DatasetAnswers.clips(
            clips, from: first, facts, level: { heard[$0]?.level }, duration: { heard[$0]?.duration })
    }

    private func answer(_ request: PageRequest, about clip: BrowsedClip, _ part: String) throws -> PageResponse {
        func sound() throws(Refusal) -> ClipSound {
            try ClipSound(
                of: clip, in: facts, before: request.seconds("before") ?? 0, after: request.seconds("after") ?? 0)
        }
        switch part {
        case "": return try details(clip)
        case "values":
            let times = request.seconds("from").flatMap { from in
                request.seconds("to").flatMap { from <= $0 ? from...$0 : nil }
            }
            let picture = try dataset.values(
                of: clip, times: times, maximumRows: request.rows, isUndone: request.value("undo") == "1")
            guard let picture else { throw Refusal(.notFound, "The clip has no stored values.") }
            return ClipAnswers.picture(picture)
        case "spectrogram":
            let size = request.number("size") ?? 1024
            guard 16...65_536 ~= size, size & (size - 1) == 0 else {
                throw Refusal(.badRequest, "The size of a window is a power of two from 16 to 65536.")
            }
            let sound = try sound()
            let picture = try sound.spectrogram(size: size, maximumRows: request.rows)
            return ClipAnswers.picture(picture, headers: [("X-Nyquist", "\(Double(sound.sampleRate) / 2)")])
        case "waveform":
            let sound = try sound()
            let columns = min(max(request.number("columns") ?? 1200, 1), 20_000)
            let (pairs, period) = try sound.waveform(columns: columns)
            return ClipAnswers.waveform(pairs, period: period, firstTime: sound.firstTime)
        case "sound.wav":
            let sound = try sound()
            guard sound.frames <= Self.maximumFrames else {
                throw Refusal(.contentTooLarge, "This part is too long to play at once: select a shorter one.")
            }
            return ClipAnswers.sound(
                try samples(of: sound), sampleRate: sound.sampleRate, firstTime: sound.firstTime)
        default: throw Refusal(.notFound, "There is no such address.")
        }
    }

    /// The samples of a part, which a browser asks for piece by piece: the last ones are kept.
    private func samples(of sound: ClipSound) throws(Refusal) -> [Float] {
        let key = PlayedPart(part: sound.part, stamp: FileStamp(recording: sound.path))
        if let kept = played.withLock({ $0.first { $0.key == key }?.samples }) { return kept }
        let samples = try sound.samples()
        played.withLock { $0 = ([(key, samples)] + $0).prefix(Self.keptSounds).map(\.self) }
        return samples
    }

    private func details(_ clip: BrowsedClip) throws -> PageResponse {
        let stamp = FileStamp(recording: Clip.location(of: clip.clip.path, root: facts.root))
        let before = stamps.withLock { $0.updateValue(stamp, forKey: clip.number) }
        if let before, before != stamp { heard.withLock { $0[clip.number] = nil } }
        let sound = Result { () throws(Refusal) in try ClipSound(of: clip, in: facts) }
        var heard = heard.withLock { $0[clip.number] }
        if heard == nil, let sound = try? sound.get(), sound.duration <= Self.maximumLevel,
            let (level, checksum) = try? sound.level()
        {
            var hasChanged = false
            if case .samples(let expected)? = clip.part.audio { hasChanged = expected != checksum }
            let found = Heard(level: level, duration: sound.duration, hasChanged: hasChanged)
            heard = found
            self.heard.withLock { $0[clip.number] = found }
        }
        let marks = try marks(near: clip, try? sound.get())
        return ClipAnswers.details(
            ClipAnswers.Details(
                clip: clip, sound: sound, level: heard?.level,
                warning: heard?.hasChanged == true
                    ? "The recording has changed since the features were computed: what is heard is not what they show."
                    : "",
                frameLabels: try dataset.frameLabels(of: clip),
                annotations: marks), facts)
    }

    /// Annotations near the clip, or other clips of its recording, which are often the rows of an annotation table.
    private func marks(near clip: BrowsedClip, _ sound: ClipSound?) throws -> [Annotation] {
        var marks: [Annotation] = []
        if let table = options.annotations {
            marks =
                (try? table.annotations(
                    of: clip.clip.path, sampleRate: sound?.sampleRate ?? clip.sampleRate ?? 1,
                    channels: sound?.channels ?? clip.channels ?? 1,
                    channel: clip.clip.channel)) ?? []
        } else {
            let siblings = try dataset.numbers(ofRecording: clip.clip.path)
                .filter { abs($0 - clip.number) <= Self.maximumSpan / 2 }
            if siblings.count > 1, let first = siblings.first, let last = siblings.last {
                let (own, known) = (clip.number, Set(siblings))
                marks = try dataset.clips(first..<last + 1).compactMap { other in
                    guard other.number != own, known.contains(other.number), let length = other.duration else {
                        return nil
                    }
                    let label = other.labels.map { facts.labels[$0] }.joined(separator: ", ")
                    return Annotation(start: other.start, end: other.start + length, label: label)
                }
            }
        }
        let length = clip.duration ?? sound?.duration ?? 0
        return marks.map { $0.shifted(by: -clip.start) }
            .filter { $0.end > -Self.markedContext && $0.start < length + Self.markedContext }
            .prefix(Self.maximumMarks).map(\.self)
    }

    // MARK: - Corrections

    private func correct(_ request: CorrectionRequest) throws -> PageResponse {
        try refuseReplaced()
        guard request.generation == generation else {
            throw Refusal(.gone, "This page is of another dataset, or of one that was replaced: reload it.")
        }
        var clips: [BrowsedClip] = []
        for item in request.corrections {
            guard 0..<facts.count ~= item.clip else { throw Refusal(.badRequest, "There is no such clip.") }
        }
        // Corrections of many clips are usually of neighbours: blocks are read at once.
        var known: [Int: BrowsedClip] = [:]
        let numbers = Set(request.corrections.map(\.clip)).sorted()
        for run in numbers.runs(gap: 256) {
            for clip in try dataset.clips(run) { known[clip.number] = clip }
        }
        for item in request.corrections {
            if let clip = known[item.clip] { clips.append(clip) }
        }
        let lines = try request.lines(of: clips, parts: try clips.map(part))
        let first = try store.lines(from: .max).count
        try store.append(
            lines, of: request.corrections.map(\.clip), mayAddLabel: request.corrections.map { $0.new == true },
            seen: request.after)
        return CorrectionAnswers.lines(try store.lines(from: min(request.after ?? first, first)))
    }

    /// What a correction says of a clip: with features what these were computed of, otherwise the recording as it was looked at.
    private func part(of clip: BrowsedClip) throws(Refusal) -> CorrectedPart {
        var part = clip.part
        if heard.withLock({ $0[clip.number]?.hasChanged }) == true {
            throw Refusal(
                .conflict,
                "The recording of '\(clip.clip.id)' changed since its features were computed: bring the feature file up to date first."
            )
        }
        guard part.audio == nil else { return part }
        let now = FileStamp(recording: Clip.location(of: clip.clip.path, root: facts.root))
        let seen = stamps.withLock { $0[clip.number] } ?? now
        guard seen == now else {
            throw Refusal(
                .conflict,
                "The recording of '\(clip.clip.id)' changed since it was opened here: look at it again first.")
        }
        if now != .absent { part.audio = .recording(now) }
        return part
    }
}

extension PageRequest {
    fileprivate func number(_ name: String) -> Int? { value(name).flatMap { Int($0) } }

    fileprivate func seconds(_ name: String) -> Double? {
        value(name).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Rows of a picture.
    fileprivate var rows: Int { min(max(number("frames") ?? 2000, 2), 4000) }
}

extension [Int] {
    /// Ranges that cover rising numbers, with gaps of at most this number in them.
    fileprivate func runs(gap: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for number in self {
            if let last = runs.last, number < last.upperBound + gap {
                runs[runs.count - 1] = last.lowerBound..<number + 1
            } else {
                runs.append(number..<number + 1)
            }
        }
        return runs
    }
}
