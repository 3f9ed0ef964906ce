import FeatureModel
import FileIO
import Manifests

/// Why recordings with annotations are not found, or not taken as they are.
package enum RecordingSourceError: SystemFaultReporting {
    case unreadableFolder(path: String, SystemError)
    /// A table has one of the columns of times that options name, and lacks another.
    case missingTimes(path: String, Note)
    /// An annotation file names no recording, and is named like none in the folder.
    case noRecording(path: String, folder: String)
    /// An annotation file names no recording, and its own name is like those of several.
    case severalRecordings(path: String, ambiguity: String)
    /// The rows are labelled parts of recordings, which are clips already.
    case clipsAlready(path: String)
    /// Columns of a manifest that may be starts and ends, and are not read.
    case unreadTimes(path: String, start: String, end: String, ManifestFormat?)
    /// The only annotation files that were found are in a format without a reader.
    case noReader(path: String, ForeignAnnotations)
    /// There are no annotation files next to the recordings; `account` has others.
    case noTables(path: String, account: Account, named: NamePattern?)
    case noTablesInFolder(path: String, named: NamePattern?)
    case noClips(path: String, Lack)

    /// What is lacking, so that there are no clips.
    package enum Lack: Sendable {
        case annotations, lengths, labels, windows
    }

    package var isSystemFault: Bool {
        guard case .unreadableFolder(_, let error) = self else { return false }
        return error.isFault
    }
}

/// Folders of recordings and annotation files.
enum SourceFolder {
    /// The names in it; none where there is no such folder.
    static func names(in folder: String) throws(RecordingSourceError) -> [String] {
        do throws(SystemError) { return try DirectoryListing.foundNames(in: folder) } catch {
            throw .unreadableFolder(path: folder, error)
        }
    }

    /// The same for a folder inside the given one, or next to it. A folder without read permission gets a remark instead.
    ///
    /// - Throws: `RecordingSourceError` for a fault of the system.
    static func names(
        in folder: String, of source: String, _ account: inout Account
    ) throws(RecordingSourceError) -> [String] {
        do { return try names(in: folder) } catch {
            guard case .unreadableFolder(_, let reason) = error, !reason.isFault else { throw error }
            account.add(.foldersUnreadable, source: source, "\(quoted(folder)) (\(reason))")
            return []
        }
    }
}
