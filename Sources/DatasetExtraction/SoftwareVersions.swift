import AudioDecoding
import FeatureModel
import FeatureStorage
import Foundation
import SignalProcessing

/// The versions of all software that the contents of a feature file depend on.
package enum SoftwareVersions {
    /// Name and version of this program and its libraries.
    package static var all: [(name: String, version: String)] {
        [
            ("veery", VeeryVersion.number), ("libsndfile", number(soundFileLibraryVersion())),
            ("fftw", number(transformLibraryVersion())), ("hdf5", storageLibraryVersion()),
            ("libdeflate", compressionLibraryVersion()), ("soxr", number(resamplingLibraryVersion())),
        ]
    }

    /// The same as a JSON object.
    static var json: String {
        let members = all.map { "\"\($0.name)\":\"\($0.version)\"" }
        return "{\(members.joined(separator: ","))}"
    }

    /// `1.2.2` of `libsndfile-1.2.2`.
    private static func number(_ text: String) -> String {
        let parts = text.split(separator: "-").drop { $0.first?.isNumber != true }
        return parts.isEmpty ? text : parts.joined(separator: "-")
    }
}
