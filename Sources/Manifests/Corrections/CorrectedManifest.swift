import FeatureModel

/// A manifest with corrections: other labels, and without the clips that are left out.
package struct CorrectedManifest {
    private let corrections: Corrections
    private let file: CorrectionFile
    private let manifest: Manifest
    private let root: String

    /// - Parameter root: The folder that relative paths of the manifest start from.
    package init(_ manifest: Manifest, _ file: CorrectionFile, root: String) {
        (self.manifest, self.file, self.root) = (manifest, file, root)
        corrections = Corrections(file.lines)
    }

    /// The corrected manifest, with the checksum of the one that it is made of.
    ///
    /// Its clips are those that the manifest has written out with `--mend`, but for the checksums that corrections expect of samples.
    ///
    /// - Throws: `CorrectionError.unknownClips`, `.otherClips`, `.everythingExcluded`; `ManifestError`.
    /// - Complexity: Reads the manifest once, and again where a correction has an effect; looks up the recordings of corrections that
    ///   have their sizes. About 200 bytes a line.
    package func made() throws -> Manifest {
        var corrected = manifest
        corrected.correctionsSHA256 = file.sha256
        let found = try edits()
        corrected.edits = found.edits
        if found.edits.addsLabels { corrected.extraColumns.append(LabelList.column) }
        corrected.sourceAccount.merge(found.account)
        guard found.hasEffect else { return corrected }
        corrected.clipCount -= found.edits.leftOut
        guard corrected.clipCount > 0 else {
            throw CorrectionError.everythingExcluded(path: file.path, manifest: manifest.path)
        }
        try count(&corrected)
        return corrected
    }

    // MARK: - Clips

    /// What becomes of the clips.
    private struct Found {
        var edits = ClipEdits()
        var account = Account()
        /// Whether a clip is left out, or has other labels.
        var hasEffect = false
    }

    private func edits() throws -> Found {
        var found = Found()
        var known = Set<[UInt8]>()
        var changed: (first: [CorrectionError.ChangedClip], count: Int) = ([], 0)
        var changes: [(id: String, edit: ClipEdits.Edit, labels: [String]?)] = []
        let clips = try manifest.reader()
        while let clip = try clips.next() {
            guard let corrections = corrections[clip.id] else { continue }
            known.insert(Array(clip.id.utf8))
            guard let last = corrections.last else { continue }
            let effective = corrections.effective.isEmpty ? [last] : corrections.effective
            if let (line, difference) = effective.difference(from: clip, root: root) {
                changed.count += 1
                if changed.first.count < CorrectionError.named {
                    changed.first.append(.init(.init(id: clip.id, line: line), difference))
                }
                continue
            }
            var edit = ClipEdits.Edit()
            edit.audio = effective.lazy.compactMap(\.samples).first
            var labels: [String]?
            if corrections.isExcluded {
                edit.isLeftOut = true
                found.account.add(.clipsExcluded, source: file.path, at: clip.index, quoted(clip.id))
            } else if let (label, names) = try self.labels(of: clip, corrections) {
                edit.labels = (label, LabelList.text(names))
                labels = names
                found.account.add(.labelsCorrected, source: file.path, at: clip.index, quoted(clip.id))
            }
            if edit.isLeftOut || labels != nil { found.hasEffect = true }
            changes.append((clip.id, edit, labels))
        }
        try refuseUnknown(known)
        guard changed.count == 0 else {
            throw CorrectionError.otherClips(
                path: file.path, manifest: manifest.path, clips: changed.first, total: changed.count)
        }
        let severalLabels = changes.contains { ($0.labels?.count ?? 0) > 1 }
        found.edits.addsLabels = manifest.labelsColumn == nil && severalLabels
        found.edits.labelsColumn = manifest.labelsColumn ?? (severalLabels ? manifest.extraColumns.count : nil)
        for change in changes { found.edits.add(change.edit, to: change.id) }
        for line in file.torn {
            found.account.add(.linesTorn, source: file.path, at: line, "line \(line)")
        }
        return found
    }

    /// The label and all labels of a clip; nil: those that the manifest gives it.
    private func labels(of clip: Clip, _ corrections: ClipCorrections) throws(ManifestError) -> (
        label: String, all: [String]
    )? {
        guard corrections.areLabelsCorrected else { return nil }
        let given = try manifest.labelNames(of: clip)
        let all = corrections.labels(of: given)
        guard !given.lazy.map({ Array($0.utf8) }).elementsEqual(all.lazy.map { Array($0.utf8) }) else { return nil }
        // A manifest that has all labels in one column alone has no label that comes first.
        let hasFirst = manifest.hasLabelColumn || manifest.labelsColumn == nil
        let remainsWithout = clip.label.isEmpty && !given.isEmpty && !corrections.isRelabelled
        return (hasFirst && !remainsWithout ? all.first ?? "" : "", all)
    }

    /// A correction that is not applied must not go unnoticed: the manifest may be another one. One that leaves a clip out is fulfilled
    /// where there is no such clip, as after `--mend`; one that changes nothing has nothing to be applied to.
    private func refuseUnknown(_ known: Set<[UInt8]>) throws(CorrectionError) {
        var unknown: (first: [CorrectionError.NamedClip], count: Int) = ([], 0)
        for id in corrections.ids where !known.contains(Array(id.utf8)) {
            guard let clip = corrections[id], let last = clip.last, !clip.isExcluded, clip.areLabelsCorrected else {
                continue
            }
            unknown.count += 1
            if unknown.first.count < CorrectionError.named { unknown.first.append(.init(id: id, line: last.line)) }
        }
        guard unknown.count == 0 else {
            throw .unknownClips(
                path: file.path, manifest: manifest.path, clips: unknown.first, total: unknown.count)
        }
    }

    // MARK: - What is known of all clips

    /// Counts labels, splits and widths again.
    private func count(_ manifest: inout Manifest) throws(ManifestError) {
        var (labels, splits) = (NameTable(), NameTable())
        var widths = TextWidths(
            id: 0, path: 0, label: 0, split: 0, extra: Array(repeating: 0, count: manifest.extraColumns.count))
        var namesMediaFiles = false
        func add(_ name: String) {
            guard !name.isEmpty else { return }
            _ = labels.insert(name)
            widths.label = max(widths.label, name.utf8.count)
        }
        let clips = try manifest.reader()
        while let clip = try clips.next() {
            for name in try manifest.labelNames(of: clip) { add(name) }
            if !clip.split.isEmpty { _ = splits.insert(clip.split) }
            widths.id = max(widths.id, clip.id.utf8.count)
            widths.path = max(widths.path, clip.path.utf8.count)
            widths.split = max(widths.split, clip.split.utf8.count)
            for (column, value) in clip.extra.enumerated() {
                widths.extra[column] = max(widths.extra[column], value.utf8.count)
            }
            if !namesMediaFiles { namesMediaFiles = MediaFile.mayBeRead(clip.path) }
        }
        manifest.labels = (0..<labels.count).map { labels[$0] }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        manifest.splits = (0..<splits.count).map { Split(name: splits[$0], clipCount: splits.insertions[$0]) }
        (manifest.widths, manifest.namesMediaFiles) = (widths, namesMediaFiles)
        if self.manifest.labelsColumn == nil, labels.count > 0 { manifest.hasLabelColumn = true }
    }
}

extension NumberedCorrection {
    /// The checksum of the samples that were corrected; nil: it has none.
    fileprivate var samples: String? {
        if case .samples(let checksum)? = correction.part.audio { checksum } else { nil }
    }
}

extension [NumberedCorrection] {
    /// How a clip differs from what one of these lines is about, and the number of that line; nil: it does not.
    fileprivate func difference(from clip: Clip, root: String) -> (line: Int, CorrectedPart.Difference)? {
        for line in self {
            if let difference = line.correction.part.difference(from: clip, root: root) {
                return (line.line, difference)
            }
        }
        // Of lines that are about other samples, one at most is about those that the clip has.
        let sums = self.filter { $0.samples != nil }
        guard let last = sums.last, let other = sums.first(where: { $0.samples != last.samples }) else { return nil }
        return (other.line, .recording(path: clip.path))
    }
}
