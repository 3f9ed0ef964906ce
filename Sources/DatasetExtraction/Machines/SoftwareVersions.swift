import AudioDecoding
import Essentials
import FeatureModel
import FeatureStorage
import Resampling
import SignalProcessing

/// The versions of all software that the contents of a feature file depend on.
package enum SoftwareVersions {
    /// Name and version of this program and its libraries.
    ///
    /// - Parameters:
    ///   - transform: The program's own transform; nil: it computes nothing.
    ///   - usesFFTW: Whether FFTW computes something, or could.
    ///   - ffmpeg: The version of ffmpeg; nil: it reads no recordings.
    package static func all(
        transform: String?, usesFFTW: Bool, ffmpeg: String? = nil
    ) -> [(name: String, version: String)] {
        let fftw = usesFFTW ? transformLibraryVersion() : nil
        return [(ownName, VeeryVersion.number), ("libsndfile", number(soundFileLibraryVersion()))]
            + (fftw.map { [(fftwName, number($0))] } ?? [])
            + [
                ("hdf5", storageLibraryVersion()), ("libdeflate", compressionLibraryVersion()),
                ("soxr", number(resamplingLibraryVersion())),
            ] + (transform.map { [(transformName, $0)] } ?? []) + (ffmpeg.map { [("ffmpeg", $0)] } ?? [])
    }

    /// The same as a JSON object, for a plan's rows.
    ///
    /// - Parameter mixed: What other machines have computed some of the rows, in words; nil: there are none.
    static func json(_ plan: FeaturePlan, ffmpeg: String? = nil, mixed: String? = nil) -> String {
        let known = all(transform: plan.ownTransform, usesFFTW: plan.usesFFTW, ffmpeg: ffmpeg)
        // Without a rate that recordings are brought to, none is resampled.
        let audio = plan.configuration.audio
        let own = audio.sampleRate == nil ? nil : ownResamplerVersion(audio.resampler)
        let resampler = own.map { [("resampler", $0)] } ?? []
        let all = known + resampler + (mixed.map { [(mixedName, $0)] } ?? [])
        return "{\(all.map { "\"\($0.name)\":\"\($0.version)\"" }.joined(separator: ","))}"
    }

    /// What other machines have computed some of a file's rows, in words; nil: they are of one kind of machine.
    static func mixture(in json: String) -> String? { versions(json)[mixedName] }

    /// The differences between the versions of two files, as JSON. Software that only one of them names, such as ffmpeg, has
    /// read no recording of the other. A mixture is left out, since it is not a version; so is FFTW where only one names it, since all
    /// files named it when it computed some transforms.
    static func differences(from before: String, to now: String, _ asked: Tolerance.Software) -> [Difference] {
        var (older, newer) = (versions(before), versions(now))
        (older[mixedName], newer[mixedName]) = (nil, nil)
        if older[fftwName] == nil || newer[fftwName] == nil { (older[fftwName], newer[fftwName]) = (nil, nil) }
        let transform =
            older[transformName] == newer[transformName]
            ? [] : [Difference.transform(before: older[transformName], now: newer[transformName])]
        func changed(_ name: String, _ was: String, _ isNow: String) -> Difference? {
            was == isNow ? nil : .version(of: name, before: was, now: isNow)
        }
        switch asked {
        case .nothing: return []
        case .transform: return transform
        case .program:
            let own = changed(ownName, older[ownName] ?? "unknown", newer[ownName] ?? "unknown")
            return own.map { [$0] } ?? transform
        case .libraries, .all:
            let named =
                older.keys.sorted().compactMap { name in
                    name == transformName ? nil : newer[name].flatMap { changed(name, older[name] ?? "", $0) }
                } + transform
            guard asked == .all, named.isEmpty else { return named }
            // A text that is not JSON names no versions, but still differs.
            let isSame = older == newer && (!older.isEmpty || before == now)
            return isSame ? [] : [.software(before: before, now: now)]
        }
    }

    /// The key of the program's own transform. Where it is missing, or `double rows` alone, FFTW computed the frames, or nothing did.
    private static let transformName = "transform"
    private static let ownName = "veery"
    private static let fftwName = "fftw"
    /// The key of files with rows of several kinds of machine.
    private static let mixedName = "mixed"

    private static func versions(_ json: String) -> [String: String] {
        (try? JSONDecoder().decode([String: String].self, from: Data(json.utf8))) ?? [:]
    }

    /// `1.2.2` of `libsndfile-1.2.2`.
    private static func number(_ text: String) -> String {
        let parts = text.split(separator: "-").drop { $0.first?.isNumber != true }
        return parts.isEmpty ? text : parts.joined(separator: "-")
    }
}
