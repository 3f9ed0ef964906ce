import FileIO
import Platform

/// What is in the folders of complete shards, found by reading alone: mostly their summaries.
package struct ShardContents: Sendable {
    /// The folder that has those of the shards.
    package let folder: String
    private let files: SpoolFiles

    /// Lists the files of the folders of shards.
    ///
    /// - Parameters:
    ///   - folders: Their paths.
    ///   - folder: The path of the folder that they are in.
    /// - Throws: `StorageError.system`, also where a folder is not there; `.tooManyFiles`.
    package init(_ folders: [String], in folder: String) throws(StorageError) {
        self.folder = folder
        // Each file has a summary.
        files = try SpoolFiles(folder: folder, shards: folders, maximum: SpoolPosition.shardFiles.count / 2)
    }

    /// Number of files of clips.
    package var fileCount: Int { files.shardNumbers.count }

    /// Hands over what one of the files holds of each clip. Several threads may scan one file each.
    ///
    /// That is read from the file's summary, or from the file itself if there is no intact summary.
    ///
    /// - Parameter file: Its index, less than `fileCount`.
    /// - Throws: `StorageError`, `.damaged` where the file itself is damaged.
    /// - Complexity: Reads the summary.
    package func scan(file: Int, _ receive: (SpoolScan.Entry) -> Void) throws(StorageError) {
        let number = files.shardNumbers.lowerBound + file
        let summary = files.summary(ofFile: number)
        var entries: [SpoolScan.Entry] = []
        do throws(StorageError) {
            try SpoolSummary.scan(try files.file(summary), number: summary, of: try files.file(number)) {
                entries.append($0)
            }
        } catch {
            // If the summary cannot be read, the file itself is.
            var isUnreadable = false
            if case .system(_, _, EIO) = error { isUnreadable = true }
            guard !error.isSystemFault || isUnreadable || FileStatus(path: files.path(summary)) == nil else {
                throw error
            }
            entries = []
            var scan = try SpoolScan(files, number: number)
            let found = try scan.run { entries.append($0) }
            guard !found.isDamaged, found.length == (try files.file(number).byteCount) else {
                throw .damaged(path: files.path(number), found: "its clips are not complete after byte \(found.length)")
            }
        }
        for entry in entries { receive(entry) }
    }

    /// A reader of everything in the folders.
    package func reader() -> SpoolReader { SpoolReader(files: files) }
}
