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
    ///   - transform: The program's own transform; nil: FFTW's is used.
    ///   - ffmpeg: The version of ffmpeg; nil: it reads no recordings.
    package static func all(transform: String?, ffmpeg: String? = nil) -> [(name: String, version: String)] {
        [
            (ownName, VeeryVersion.number), ("libsndfile", number(soundFileLibraryVersion())),
            ("fftw", number(transformLibraryVersion())), ("hdf5", storageLibraryVersion()),
            ("libdeflate", compressionLibraryVersion()), ("soxr", number(resamplingLibraryVersion())),
        ] + (transform.map { [(transformName, $0)] } ?? []) + (ffmpeg.map { [("ffmpeg", $0)] } ?? [])
    }

    /// The same as a JSON object, for a plan's rows.
    ///
    /// - Parameter mixed: What other machines have computed some of the rows, in words; nil: there are none.
    static func json(_ plan: FeaturePlan, ffmpeg: String? = nil, mixed: String? = nil) -> String {
        let all = all(transform: plan.ownTransform, ffmpeg: ffmpeg) + (mixed.map { [(mixedName, $0)] } ?? [])
        return "{\(all.map { "\"\($0.name)\":\"\($0.version)\"" }.joined(separator: ","))}"
    }

    /// What other machines have computed some of a file's rows, in words; nil: they are of one kind of machine.
    static func mixture(in json: String) -> String? { versions(json)[mixedName] }

    /// The differences between the versions of two files, as JSON. Software that only one of them names, such as ffmpeg, has
    /// read no recording of the other. A mixture is left out, since it is not a version.
    static func differences(from before: String, to now: String, _ asked: Tolerance.Software) -> [Difference] {
        var (older, newer) = (versions(before), versions(now))
        (older[mixedName], newer[mixedName]) = (nil, nil)
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
        case .libraries:
            return older.keys.sorted().compactMap { name in
                name == transformName ? nil : newer[name].flatMap { changed(name, older[name] ?? "", $0) }
            } + transform
        case .all:
            // A text that is not JSON names no versions, but still differs.
            guard older != newer || older.isEmpty && before != now else { return [] }
            return transform.isEmpty ? [.software(before: before, now: now)] : transform
        }
    }

    /// The key of the program's own transform. Where it is missing, the transform is FFTW's.
    private static let transformName = "transform"
    private static let ownName = "veery"
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
