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
    /// - Parameter ffmpeg: The version of ffmpeg; nil: it reads no recordings.
    package static func all(ffmpeg: String? = nil) -> [(name: String, version: String)] {
        [
            ("veery", VeeryVersion.number), ("libsndfile", number(soundFileLibraryVersion())),
            ("fftw", number(transformLibraryVersion())), ("hdf5", storageLibraryVersion()),
            ("libdeflate", compressionLibraryVersion()), ("soxr", number(resamplingLibraryVersion())),
        ] + (ffmpeg.map { [("ffmpeg", $0)] } ?? [])
    }

    /// The same as a JSON object.
    static func json(ffmpeg: String? = nil) -> String {
        let members = all(ffmpeg: ffmpeg).map { "\"\($0.name)\":\"\($0.version)\"" }
        return "{\(members.joined(separator: ","))}"
    }

    /// The differences between the versions of two files, as JSON, in words. What only one of them names, such as ffmpeg, has
    /// read no recording of the other.
    static func differences(from before: String, to now: String) -> [String] {
        func versions(_ json: String) -> [String: String] {
            (try? JSONDecoder().decode([String: String].self, from: Data(json.utf8))) ?? [:]
        }
        let (older, newer) = (versions(before), versions(now))
        return older.keys.sorted().compactMap { name in
            guard let was = older[name], let now = newer[name], was != now else { return nil }
            return "\(name) was version \(was) and is \(now) now"
        }
    }

    /// `1.2.2` of `libsndfile-1.2.2`.
    private static func number(_ text: String) -> String {
        let parts = text.split(separator: "-").drop { $0.first?.isNumber != true }
        return parts.isEmpty ? text : parts.joined(separator: "-")
    }
}
