import AudioDecoding
import ClipFeatures
import FeatureModel
import FileIO
import SignalProcessing

/// The recordings of a stream up to the first that can be opened, whose sample rate is used unless the configuration has one.
struct FirstRecordings {
    /// A recording that cannot be opened.
    struct Failed {
        let number: Int
        let stamp: FileStamp
        let failure: ClipFailure
    }

    let plan: FeaturePlan
    let failed: [Failed]
    /// The first that can be opened, and the file with its bytes; nil: none was read.
    let opened: StreamedMember?
    let file: SharedFile

    /// - Throws: `ExtractionError`, `ConfigurationError`, `InputFault`.
    init(
        _ members: StreamedMembers, _ configuration: FeatureConfiguration, _ options: ExtractionOptions, name: String
    ) throws {
        file = try members.file()
        if let rate = configuration.audio.sampleRate, configuration.audio.channels != .all {
            plan = try Extraction.plan(configuration, sampleRate: rate, options)
            (failed, opened) = ([], nil)
            return
        }
        let decoder = ClipDecoder(configuration.audio, policy: options.policy)
        var failed: [Failed] = []
        var first: (failure: ClipFailure, name: String)?
        while let member = try members.next(into: file) {
            let signals: (rate: Int, count: Int)
            do throws(ClipFailure) {
                signals = try decoder.signals(
                    of: Clip(index: 0, id: "", path: member.name), path: member.name,
                    content: member.recording.content)
            } catch {
                guard !error.isSystemFault else { throw InputFault(path: member.name, reason: error.reason) }
                first = first ?? (error, member.name)
                failed.append(Failed(number: member.number, stamp: member.recording.stamp, failure: error))
                continue
            }
            plan = try Extraction.plan(configuration, sampleRate: signals.rate, channels: signals.count, options)
            (self.failed, opened) = (failed, member)
            return
        }
        let listing = members.listing
        guard listing.count > 0 else { throw ExtractionError.noRecordings(stream: name, listing.account) }
        throw ExtractionError.noSampleRate(
            manifest: name, clips: listing.count, firstFailure: first?.failure, firstPath: first?.name ?? "")
    }
}
