import AudioDecoding
import FeatureModel
import FeatureStorage
import Foundation
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
            ("veery", VeeryVersion.number), ("libsndfile", number(soundFileLibraryVersion())),
            ("fftw", number(transformLibraryVersion())), ("hdf5", storageLibraryVersion()),
            ("libdeflate", compressionLibraryVersion()), ("soxr", number(resamplingLibraryVersion())),
        ] + (transform.map { [(transformName, $0)] } ?? []) + (ffmpeg.map { [("ffmpeg", $0)] } ?? [])
    }

    /// The same as a JSON object, for a plan's rows.
    static func json(_ plan: FeaturePlan, ffmpeg: String? = nil) -> String {
        let members = all(transform: plan.ownTransform, ffmpeg: ffmpeg).map { "\"\($0.name)\":\"\($0.version)\"" }
        return "{\(members.joined(separator: ","))}"
    }

    /// The differences between the versions of two files, as JSON, in words. What only one of them names, such as ffmpeg, has
    /// read no recording of the other.
    static func differences(from before: String, to now: String) -> [String] {
        let (older, newer) = (versions(before), versions(now))
        let libraries = older.keys.sorted().compactMap { name -> String? in
            guard name != transformName, let was = older[name], let now = newer[name], was != now else { return nil }
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

    private static func versions(_ json: String) -> [String: String] {
        (try? JSONDecoder().decode([String: String].self, from: Data(json.utf8))) ?? [:]
    }

    /// `1.2.2` of `libsndfile-1.2.2`.
    private static func number(_ text: String) -> String {
        let parts = text.split(separator: "-").drop { $0.first?.isNumber != true }
        return parts.isEmpty ? text : parts.joined(separator: "-")
    }
}
