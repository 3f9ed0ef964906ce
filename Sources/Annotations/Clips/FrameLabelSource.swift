import FeatureModel
import Manifests

/// The annotations that the frames of a dataset's clips get their labels from.
package struct FrameLabelSource {
    /// The annotations of a recording, and the path that its clips name.
    package struct Recording {
        package let path: String
        package fileprivate(set) var rows: [AnnotationRow]
        /// Whether a clip of it may be made of several channels.
        fileprivate var isMixed = false
        /// The single channels that its clips have.
        fileprivate var channels: Set<Int> = []
    }

    /// The checked rows of annotation files, with their account and notes.
    package struct Labels {
        package fileprivate(set) var recordings: [Recording] = []
        /// What was read and not used.
        package fileprivate(set) var account: Account
        package fileprivate(set) var notes: [SourceNote]
    }

    private let dataset: RecordingSource
    private let tables: AnnotationTables
    private let binding: AnnotationBinding
    private let bindingProblems: [SourceProblem]
    private let all: [Recording]
    private let account: Account

    /// - Parameters:
    ///   - channel: That of clips that name none; nil: they are made of several.
    ///   - given: Annotation files, and folders of them.
    package init(
        _ manifest: Manifest, root: String, channel: Int?, given: [String], options: AnnotationOptions
    ) throws {
        // One clip for each recording: rows are matched with recordings, of which clips may be short parts.
        var paths = NameTable()
        var recordings: [Recording] = []
        let reader = try manifest.reader()
        while let clip = try reader.next() {
            let number = paths.insert(clip.path)
            if number == recordings.count { recordings.append(Recording(path: clip.path, rows: [])) }
            if let channel = clip.channel ?? channel {
                recordings[number].channels.insert(channel)
            } else {
                recordings[number].isMixed = true
            }
        }
        let clips = recordings.enumerated().map { Clip(index: $0, id: "", path: $1.path) }
        var dataset = RecordingSource(name: manifest.path, clips: clips, root: root)
        (dataset.names, dataset.manifest) = (manifest.names, manifest)
        let tables = try AnnotationTables(given, of: dataset, format: nil, options: options, isOptional: false)
        let index = RecordingIndex(clips.map { AnnotationTables.absolute(dataset.location($0)) })
        (binding, bindingProblems) = tables.bound(to: index, of: dataset)
        account = manifest.account { tables.hasSeen($0) }
        (all, self.dataset, self.tables) = (recordings, dataset, tables)
    }

    /// The recordings with annotations.
    package var annotated: [String] {
        dataset.clips.filter { !binding.rows[$0.index].isEmpty }.map(dataset.location)
    }

    /// The labels of frames.
    ///
    /// - Parameter lengths: Those of the recordings with annotations.
    /// - Throws: All problems at once.
    package func labels(_ lengths: RecordingLengths) throws(SourceProblems) -> Labels {
        var check = AnnotationCheck(tables: tables.tables, minimumConfidence: nil, truncated: .fail)
        var labels = Labels(account: account, notes: tables.notes)
        var problems = bindingProblems
        for (clip, var recording) in zip(dataset.clips, all) {
            let isUnread = binding.unread.concerns(clip: clip.index)
            if isUnread {
                labels.account.add(
                    .annotationsUnused, source: clip.path,
                    "those of \(quoted(clip.path)) that are not read: its frames there have no label")
            }
            guard !binding.rows[clip.index].isEmpty else {
                if isUnread { continue }
                labels.account.add(.recordingsWithoutAnnotations, source: dataset.name, at: clip.index, clip.path)
                continue
            }
            // The clips of a recording that cannot be opened become failures; nothing is known of its length.
            // Nor of one that is cut off: its clips are read, or fail, as the configuration says.
            let header = (try? lengths.recordings[dataset.location(clip)]?.get()).flatMap { $0.isCut ? nil : $0 }
            recording.rows = check.rows(
                binding.rows[clip.index], of: header, clip: clip, read: recording.isMixed ? nil : recording.channels)
            if recording.isMixed, let channel = recording.rows.lazy.compactMap(\.channel).first {
                problems.append(SourceProblem(clip.path, .mixedChannels(first: channel)))
            }
            for row in recording.rows where row.labels.count > 1 {
                labels.account.add(
                    .annotationsUnused, source: clip.path, at: row.line,
                    "the labels of line \(row.line) after the first: a frame has one")
            }
            labels.recordings.append(recording)
        }
        problems += check.problems
        guard problems.isEmpty else {
            throw SourceProblems(problems, hints: check.hints, of: dataset.name, canSkip: false)
        }
        for account in [tables.account, binding.account, check.account(isOfClips: false)] {
            labels.account.merge(account)
        }
        labels.notes += check.notes
        return labels
    }
}
