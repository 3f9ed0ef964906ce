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

    /// How this program differs between two runs, in words, whatever its libraries are; nil: it does not.
    static func ownDifference(from before: String, to now: String) -> String? {
        let (was, isNow) = (versions(before)[ownName] ?? "unknown", versions(now)[ownName] ?? "unknown")
        guard was == isNow else { return "\(ownName) was version \(was) and is \(isNow) now" }
        return transformDifference(from: before, to: now)
    }

    /// The differences between the versions of two files, as JSON, in words. What only one of them names, such as ffmpeg, has
    /// read no recording of the other.
    static func differences(from before: String, to now: String) -> [String] {
        let (older, newer) = (versions(before), versions(now))
        let libraries = older.keys.sorted().compactMap { name -> String? in
            guard name != transformName, name != mixedName, let was = older[name], let now = newer[name], was != now
            else { return nil }
            return "\(name) was version \(was) and is \(now) now"
        }
        return libraries + (transformDifference(from: before, to: now).map { [$0] } ?? [])
    }

    /// The difference between the transforms of two files, whose rows then have other last digits; nil: there is none.
    static func transformDifference(from before: String, to now: String) -> String? {
        let (was, now) = (versions(before)[transformName], versions(now)[transformName])
        func words(_ name: String?) -> String { name.map { "'\($0)'" } ?? "that of FFTW" }
        return was == now ? nil : "the transform was \(words(was)) and is \(words(now)) now"
    }

    /// The key of the program's own transform. Where it is missing, the transform is FFTW's, as in all files of version 0.1.
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
