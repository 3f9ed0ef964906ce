import ClipFeatures
import Concurrency
import DatasetExtraction
import Dispatch
import FeatureModel
import FeatureStorage
import FileIO
import SignalProcessing
import Synchronization

/// A live analysis: each input is read, analysed and recorded by a thread of its own, as fast as its samples come.
///
/// A display takes rows from the tracks, and never delays the analysis. The rows are those of `extract` on the
/// same samples before normalisation, to the last bit where nothing is resampled (`LiveStreams`); so is the file that they
/// are recorded into, to the last bit always.
package final class LiveSession: Sendable {
    /// The inputs.
    package let tracks: [LiveTrack]

    private let inputs: [LiveInput]
    private let recording: LiveRecording?
    private let configuration: FeatureConfiguration
    private let output: LiveDescriptor
    private let cancellation: Cancellation
    private let stopped = Atomic(false)
    private let work = DispatchGroup()

    /// Prepares everything, so that errors are reported before the screen is taken over.
    ///
    /// - Parameters:
    ///   - inputs: At least one.
    ///   - configuration: What is computed.
    ///   - json: The same, for the file.
    ///   - options: The rest.
    ///   - cancellation: Ends the analysis; what was recorded until then is kept.
    /// - Throws: `LiveError`, `ConfigurationError`, `ExtractionError`, `StorageError`, `ClipFailure`.
    package init(
        _ inputs: [LiveInput], configuration: FeatureConfiguration, json: String, options: LiveOptions = LiveOptions(),
        cancellation: Cancellation
    ) throws {
        self.inputs = inputs
        self.configuration = configuration
        self.cancellation = cancellation
        output = LiveDescriptor(number: 1)
        try Self.check(configuration)
        let equalizer = options.band.map { LiveEqualizer($0, pages: options.pages) }
        tracks = try inputs.map { input in
            let plan = try Self.plan(configuration, of: input)
            return LiveTrack(input, plan: plan, seconds: options.seconds, equalizer: equalizer)
        }
        guard let record = options.record, let plan = tracks.first?.plan else {
            recording = nil
            return
        }
        // As an extraction does: what has another rate than the first clip is not a clip of the same file.
        for (input, track) in zip(inputs, tracks) where track.plan.sampleRate != plan.sampleRate {
            throw LiveError.input(
                name: input.name,
                failure: .otherRate(expected: Int(plan.sampleRate), found: input.format.sampleRate, than: .input))
        }
        recording = try LiveRecording(
            output: record, overwriting: options.overwrite, plan: plan,
            note: RecordingManifest(
                configuration: json,
                inputs: inputs.map {
                    RecordingManifest.Input(
                        name: $0.name, sampleRate: $0.format.sampleRate, channels: $0.format.channels)
                }, files: options.inputs.isEmpty ? nil : options.inputs))
    }

    /// Whether samples are passed over at the moment; see `stop`.
    package var isStopped: Bool { stopped.load(ordering: .relaxed) }

    /// Has samples passed over, neither analysed nor recorded, until `start`; a recording that is played waits. The analysis
    /// continues as if they had not been there.
    package func stop() { stopped.store(true, ordering: .relaxed) }

    /// Resumes after `stop`.
    package func start() { stopped.store(false, ordering: .relaxed) }

    /// Whether all inputs have ended.
    package var hasEnded: Bool { tracks.allSatisfy(\.hasEnded) }

    /// Warnings before the start, apart from those of the plan, a sentence each.
    package var warnings: [String] {
        // The maximum is known only at the end.
        tracks.first?.plan.needsWholeClip == true
            ? ["scale.top_db needs the maximum of the whole recording: what is shown is as before that step"] : []
    }

    /// What of the inputs is not in what is shown, as far as it is known before the start. A recording has an account of its own.
    package var account: Account {
        var account = Account()
        let limits = FeatureLimits(configuration)
        for (number, track) in tracks.enumerated() {
            let found = ClipMeasurement(
                sampleRate: track.format.sampleRate, channels: track.format.channels, start: 0, duration: 0)
            account.add(
                found.allRemarks(limits), ofClip: track.name, at: number, limits, rate: found.sampleRate)
        }
        return account
    }

    /// The inputs of a lower rate than that of the analysis.
    package var lowerRates: LowerRates {
        var rates = LowerRates()
        for track in tracks { rates.add(track.format.sampleRate, track.plan) }
        return rates
    }

    /// Starts to read.
    ///
    /// - Throws: `NoThread`; then nothing is read, and what was prepared is given up.
    package func begin() throws(NoThread) {
        do throws(NoThread) {
            try recording?.startSyncing()
        } catch {
            discard()
            throw error
        }
        for number in tracks.indices {
            work.enter()
            do throws(NoThread) {
                try SystemThread.start { [self] in
                    run(number)
                    work.leave()
                }
            } catch {
                work.leave()
                // The threads that have started end, and leave no partial recording.
                cancellation.cancel()
                work.wait()
                discard()
                throw error
            }
        }
    }

    /// Waits for the inputs, which end by themselves or by the cancellation, and puts the feature file together.
    ///
    /// - Throws: Any error that prevents the file from being written.
    package func finish() throws -> LiveSummary {
        work.wait()
        let file = try recording.map(store)
        return LiveSummary(
            tracks: tracks.map {
                LiveSummary.Track(name: $0.name, seconds: $0.seconds, rows: $0.rows.count, end: $0.end)
            }, file: file)
    }

    /// Assembles the feature file. If it cannot be written, for example on a full disk, the recorded rows are kept.
    private func store(_ recording: LiveRecording) throws -> LiveSummary.File {
        do {
            for (number, track) in tracks.enumerated() where recording.index[number] == .pending {
                if let failure = track.end.failure { throw failure }
            }
            let file = try recording.finish()
            recording.remove()
            return file
        } catch LiveError.nothingRecorded(let output) {
            recording.remove()
            throw tracks.compactMap(\.end.failure).first ?? LiveError.nothingRecorded(output: output)
        } catch {
            guard recording.keep() else {
                recording.remove()
                throw error
            }
            throw LiveError.keptRecording(
                output: recording.output, cause: "\(error)", isSystemFault: error.isSystemFault)
        }
    }

    /// Discards what was prepared, instead of `begin`.
    package func discard() { recording?.remove() }

    private func run(_ number: Int) {
        let track = tracks[number]
        var end = LiveTrack.End()
        do { try analyse(number, track, &end) } catch { end.failure = error }
        track.close(end)
    }

    /// Reads an input to its end.
    private func analyse(_ number: Int, _ track: LiveTrack, _ end: inout LiveTrack.End) throws {
        let (input, format) = (inputs[number], track.format)
        let reader = try LiveReader(input, cancellation: cancellation)
        let recorder = try recording?.recorder(of: number)
        let streams = try LiveStreams(configuration, format, isRecorded: recorder != nil)
        let filter = try track.equalizer.map {
            try LiveFilter(input, equalizer: $0, output: output, cancellation: cancellation)
        }
        var storageError: StorageError?
        func keep(_ rows: UnsafeBufferPointer<Float>) throws(ClipFailure) {
            guard let recorder else { return }
            do throws(StorageError) {
                try recorder.keep(rows)
            } catch {
                storageError = error
                throw .stopped
            }
        }
        func handOver(isLast: Bool = false) throws(StorageError) {
            let (frames, peak) = (track.frameCount, streams.peak)
            do throws(StorageError) {
                try recorder?.handOver(format, frames: frames, peak: peak, isLast: isLast)
            } catch {
                storageError = error
                throw error
            }
        }
        var failure: (any Error)?
        do {
            var isRead = try filter?.start() ?? true
            while isRead, let samples = try reader.next(isStopped: { isStopped }) {
                guard !isStopped else { continue }
                recorder?.hash(samples)
                track.advance(by: samples.count / format.channels)
                if let filter {
                    isRead = try filter.push(samples)
                    end.clippedSamples = filter.clippedSamples
                }
                try streams.push(samples, show: track.rows.append, keep: keep)
                try handOver()
            }
            if let filter, isRead { _ = try filter.finish() }
            end.strayBytes = reader.strayBytes
            end.zeroedSamples = reader.zeroedSamples
            if let cut = reader.cutOff {
                if input.isRecording || input.policy.truncated == .keep {
                    end.cutOff = cut
                } else {
                    failure = LiveError.cutOff(name: input.name, cut)
                }
            }
        } catch {
            failure = error
        }
        do throws(LiveError) { try filter?.close() } catch { failure = failure ?? error }
        if let storageError { throw storageError }
        // What came before the end is kept, also after an error.
        recorder?.end()
        do throws(ClipFailure) {
            try streams.finish(show: track.rows.append, keep: keep)
        } catch {
            throw storageError ?? error as any Error
        }
        if let recording, let recorder {
            try handOver(isLast: true)
            if reader.cutOff != nil { recording.isTruncated.store(true, ordering: .relaxed) }
            // A recording that cannot be read to its end is a failed clip, as in an extraction; from a microphone, what was read so far is kept.
            if input.isRecording, case .input(_, let reason)? = failure as? LiveError {
                try recorder.fail(reason, recording.index)
                throw LiveError.input(name: input.name, failure: reason)
            }
            try recorder.finish(
                sampleRate: format.sampleRate, channels: format.channels, frames: track.frameCount, peak: streams.peak,
                isTruncated: reader.cutOff != nil, recording.index)
        }
        if let failure { throw failure }
    }

    private static func plan(_ configuration: FeatureConfiguration, of input: LiveInput) throws -> FeaturePlan {
        // It says what does not fit better than a plan would.
        try AudioFeatureStream(configuration, inputRate: input.format.sampleRate, channels: input.format.channels).plan
    }

    /// The mean, the level and the middle of a clip that has not ended are not known, and its rows need them from the first on.
    private static func check(_ configuration: FeatureConfiguration) throws(LiveError) {
        guard !configuration.condition.removeDC else {
            throw .needsWholeClip(key: "condition.remove_dc", found: "true", instead: "false")
        }
        if configuration.audio.duration != nil, configuration.audio.crop == .center {
            throw .needsWholeClip(key: "audio.crop", found: "center", instead: "start")
        }
        if let resizing = configuration.rows.resizing { throw .resizedRows(key: resizing.key) }
        let gain = configuration.condition.gain
        guard !gain.needsWholeClip else {
            throw .needsWholeClip(key: "condition.gain", found: gain.kind.rawValue, instead: "none")
        }
    }
}

/// The options of a live analysis.
package struct LiveOptions: Sendable {
    /// The feature file to write; nil: none.
    package var record: String?
    /// Whether a feature file of that name may be replaced.
    package var overwrite: Bool
    /// Seconds of rows that are kept for the display.
    package var seconds: Double
    /// The band of an equaliser between the input and standard output; nil: nothing is written there.
    package var band: LiveEqualizer.Band?
    /// How the equaliser cuts its input into pages.
    package var pages: DCTFilterPages
    /// The files that values of the configuration were read from, which the feature file names.
    package var inputs: [ConfigurationInput]

    /// Keeps the values.
    package init(
        record: String? = nil, overwrite: Bool = false, seconds: Double = 10, band: LiveEqualizer.Band? = nil,
        pages: DCTFilterPages = .overlapping, inputs: [ConfigurationInput] = []
    ) {
        self.record = record
        self.overwrite = overwrite
        self.seconds = seconds
        self.band = band
        self.pages = pages
        self.inputs = inputs
    }
}
