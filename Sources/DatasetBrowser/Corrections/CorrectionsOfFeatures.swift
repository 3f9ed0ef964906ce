import Essentials
import FileIO
import Manifests
import Messages

/// The file of corrections of a feature file that was made with corrections.
enum CorrectionsOfFeatures {
    private static let ending = ".corrections.csv"

    /// The given file, or another one in the feature file's folder, that has the lines which the features were made with.
    ///
    /// - Parameter isGiven: Whether the user named the file: then no other is looked for.
    /// - Throws: `OtherCorrections`; `CorrectionError`.
    static func path(_ given: String, isGiven: Bool, of features: String, sha256: String) throws -> String {
        if FileStatus(path: given) != nil, try AppliedCorrections.lastLine(of: given, sha256: sha256) != nil {
            return given
        }
        if !isGiven {
            let folder = Folder.containing(features)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names.filter({ $0.hasSuffix(ending) }).sorted() {
                let path = folder == "." && !features.hasPrefix("./") ? name : folder + "/" + name
                if (try? AppliedCorrections.lastLine(of: path, sha256: sha256)) ?? nil != nil { return path }
            }
        }
        throw OtherCorrections(features: features, corrections: given)
    }
}

/// A feature file was made with corrections that are not in the file of corrections.
struct OtherCorrections: Error, CustomStringConvertible {
    let features, corrections: String

    var description: String { BrowserWords.otherCorrections(features, corrections) }
}
