import FeatureModel
import FileIO

extension FeatureReader {
    /// A contradiction that `verify` has found.
    public typealias Finding = FeatureFinding

    /// Checks that the file is complete and consistent: the clips' blocks of rows are contiguous and cover the
    /// tensor; every value of a clip is finite, every row between clips NaN and every row after a clip in its fixed block 0,
    /// to the bit; every clip's checksums match its rows and columns, and that of the file the rest; labels are in the list.
    ///
    /// In a set, each file is checked in this way. Its clips' checksums show whether it is the file that the index names, and
    /// what belongs to no clip is compared with the index, too.
    ///
    /// - Parameters:
    ///   - most: Number of findings after which the check ends.
    ///   - jobs: Number of threads; what is found does not depend on it.
    /// - Returns: What was found; nothing: the file is sound.
    /// - Throws: `StorageError` where something other than a clip's rows cannot be read at all.
    /// - Complexity: Reads the whole tensor; memory for a piece of it at a time for each thread, and for the columns of 1,024
    ///   clips.
    public func verify(most: Int = 100, jobs: Int = 1) throws(StorageError) -> [Finding] {
        guard let index = set else { return try files.first.verify(most: most, jobs: jobs) }
        var findings: [Finding] = []
        var areOthers = false
        var account = Account()
        for (number, member) in index.files.enumerated() where findings.count < most {
            func note(_ finding: Finding) {
                findings.append(Finding(clip: finding.clip, description: "\(member.name): \(finding.description)"))
            }
            do throws(StorageError) {
                let file = try files[number]
                for finding in try file.verify(most: most - findings.count, jobs: jobs) { note(finding) }
                account.add(file.header.remarks, ofFile: number)
                let records = try file.recordsChecksum()
                if records != member.recordsChecksum {
                    note(
                        Finding(
                            clip: nil,
                            description: "\(ClipTable.record) has the checksum \(records), but the index names "
                                + "\(member.recordsChecksum)"))
                }
            } catch .changedFileOfSet(_, _, let found) {
                // The others are still checked.
                areOthers = true
                note(Finding(clip: nil, description: "the file is not the one that the index names: \(found)"))
            }
        }
        // Without a file, what belongs to no clip is not known.
        if !areOthers, findings.count < most {
            findings += try metadataFindings()
            if account.remarks != index.remarks {
                findings.append(
                    Finding(clip: nil, description: "the remarks of the index are not the sum of those of its files"))
            }
        }
        return findings
    }

    /// Makes sure that every file of a set is the one that the index names, by the checksums of its clips: a file that replaced
    /// another may have the same length and the same number of clips.
    ///
    /// - Throws: `StorageError.changedFileOfSet`, `.missingFileOfSet` and others; nothing for a single file.
    /// - Complexity: For a set, reads a column of all clips.
    public func checkMembers() throws(StorageError) {
        guard let index = set else { return }
        for (number, member) in index.files.enumerated() {
            let (file, expected) = (try files[number], member.recordsChecksum)
            let found = try file.recordsChecksum()
            guard found == expected else {
                throw .changedFileOfSet(
                    path: file.path, index: path, found: "expected records_xxh3 \(expected), found \(found)")
            }
        }
    }

    /// Checks everything that belongs to no clip, for callers that reuse it.
    ///
    /// - Throws: `StorageError.damaged` with the first thing that `verify` would find there.
    package func checkMetadata() throws(StorageError) {
        try checkMembers()
        if let finding = try (metadataFindings() + files.first.wholeFileFindings()).first {
            throw .damaged(path: path, found: finding.description)
        }
    }

    /// The rows of `/clips` in `range`, each compared with its checksum.
    ///
    /// - Throws: `StorageError`, `.damaged` for the first that is not right.
    package func checkedClips(_ range: Range<Int>) throws(StorageError) -> [StoredClip] {
        try clips(range, areChecked: true)
    }

    /// What is wrong with what belongs to no clip, by its checksum: of a set, all failures with what its files have in common.
    private func metadataFindings() throws(StorageError) -> [Finding] {
        var checksum = try files.first.checksum(ofMetadata: header)
        try checksum.add(header.failureCount) { range throws(StorageError) in try failures(range) }
        return checksum.findings(expected: metadataChecksum)
    }
}
