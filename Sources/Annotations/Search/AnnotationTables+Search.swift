import FeatureModel
import FileIO
import Manifests

/// Files next to recordings.
extension AnnotationTables {
    /// The clips of each recording of a source.
    private struct Recordings {
        var clips: [String: [Int]] = [:]
        /// Their locations, in order.
        var locations: [String] = []
        /// Those that have a table of their own, or a problem with it.
        var annotated: Set<String> = []

        init(_ source: RecordingSource) {
            for (index, clip) in source.clips.enumerated() {
                let location = source.location(clip)
                if clips[location] == nil { locations.append(location) }
                clips[location, default: []].append(index)
            }
        }
    }

    mutating func search(_ source: RecordingSource) throws {
        var recordings = Recordings(source)
        let folders = try self.folders(of: recordings, source)
        for location in recordings.locations {
            guard let files = folders[Folder.containing(location)] else { continue }
            let name = location.lastName
            let candidates = files.tables(of: name).filter { $0 != source.name }
            if try take(candidates, of: location, recordings.clips[location] ?? []) {
                recordings.annotated.insert(location)
                if let loose = files.loose[name], let table = tables.last, loose == table.table.path {
                    account.add(.tablesMatched, source: source.name, "\(quoted(loose)) for \(quoted(name))")
                }
            }
        }
        let rows = Set((source.rowTables + [source.name]).map(Self.identity))
        let others = folders.sorted { $0.key < $1.key }.flatMap(\.value.others)
        try takeOthers(others.filter { !rows.contains(Self.identity($0)) }, of: source, &recordings)
        noteTables()
        guard !tables.isEmpty else { return }
        for (position, location) in recordings.locations.enumerated() where !recordings.annotated.contains(location) {
            account.add(.recordingsWithoutAnnotations, source: source.name, at: position, location)
        }
    }

    /// The annotation files of the recordings' folders, and of those above them up to the folder that is the source.
    private mutating func folders(of recordings: Recordings, _ source: RecordingSource) throws -> [String: FolderTables]
    {
        let isTaken = { [named] (path: String) in named?.matches(path.lastName) != false }
        let top = FileStatus(path: source.name)?.isFolder == true ? Self.identity(source.name) : nil
        var folders: [String: FolderTables] = [:]
        var isTopKnown = top == nil
        for location in recordings.locations {
            var folder = Folder.containing(location)
            while folders[folder] == nil {
                folders[folder] = try FolderTables(folder, of: source.name, isTaken, &account)
                let identity = Self.identity(folder)
                if identity == top { isTopKnown = true }
                guard let top, identity.hasPrefix(top + "/") else { break }
                folder = Folder.containing(folder)
            }
        }
        if !isTopKnown { folders[source.name] = try FolderTables(source.name, of: source.name, isTaken, &account) }
        return folders
    }

    private mutating func noteTables() {
        guard let first = tables.first else { return }
        let isOfSeveral = if case .ofFolder = first.origin { true } else { false }
        notes.append(
            .tables(
                tables.count, first: first.table.path.lastName, format: first.table.kind.name, isOfSeveral: isOfSeveral)
        )
    }

    // MARK: - Tables that are named like no recording next to them, or like several

    /// Reads combined tables, whose rows name recordings, and those of recordings elsewhere below the folder. Recordings with a
    /// table of their own have that.
    private mutating func takeOthers(
        _ paths: [String], of source: RecordingSource, _ recordings: inout Recordings
    ) throws {
        let index = RecordingIndex(source.clips.map { Self.absolute(source.location($0)) })
        let root = Self.absolute(source.root)
        // Others may have tables in the folders of a manifest's recordings.
        let isFolder = FileStatus(path: source.name)?.isFolder == true
        let unclaimed = Set(source.unclaimed.map { Self.identity($0.path) })
        var found: [(table: AnnotationTable, recordings: Set<String>)] = []
        var known = seen
        for path in paths where known.insert(Self.identity(path)).inserted {
            guard let table = try other(path, isUnclaimed: unclaimed.contains(Self.identity(path))) else { continue }
            let folder = Self.foundTable(table, .ofFolder(except: [])).folder
            let name = path.lastName
            let named = table.recordingNames.sorted()
            let matches =
                named.isEmpty
                ? [index.find(forFile: name, folder: folder).match]
                : named.map { index.find($0, folders: [folder, root]) }
            let ambiguous = matches.lazy.compactMap { match -> [String]? in
                if case .ambiguous(let locations) = match { locations } else { nil }
            }.first
            let near = [Self.identity(folder), Folder.containing(Self.identity(folder))]
            if named.isEmpty, let ambiguous, ambiguous.allSatisfy({ near.contains(Folder.containing($0)) }) {
                seen.insert(Self.identity(path))
                let ambiguity = AnnotationFileName.ambiguity(of: name, ambiguous)
                problems.append(SourceProblem(path, .stated("its rows name no recording, and \(ambiguity)")))
                unread.append((path, .beside(index.clips(at: ambiguous))))
                continue
            }
            let locations = matches.flatMap { match -> [String] in
                if case .found(let clips, _) = match { clips.map { source.location(source.clips[$0]) } } else { [] }
            }
            if locations.isEmpty {
                if let ambiguous { unread.append((path, .beside(index.clips(at: ambiguous)))) }
                addUnclaimed(
                    path, in: Folder.containing(path), because: Self.reason(name, named, ambiguous, source.name),
                    as: isFolder || named.isEmpty || ambiguous != nil ? .tablesUnclaimed : .tablesOfOthers)
            } else {
                found.append((table, Set(locations)))
            }
        }
        leaveConflicts(of: &found, &recordings)
        let before = recordings.annotated
        for (table, locations) in found {
            seen.insert(Self.identity(table.path))
            guard !locations.subtracting(before).isEmpty else {
                addUnclaimed(
                    table.path, in: Folder.containing(table.path), because: "its recordings have tables of their own")
                continue
            }
            recordings.annotated.formUnion(locations)
            func clips(_ locations: Set<String>) -> [Int] { locations.flatMap { recordings.clips[$0] ?? [] } }
            let isNamed = table.content.rows.contains { $0.recording != nil }
            add(
                table,
                isNamed
                    ? .ofFolder(except: Set(clips(locations.intersection(before)))) : .beside(clips(locations).sorted())
            )
        }
    }

    /// Why a table is of none of the recordings.
    private static func reason(_ name: String, _ named: [String], _ ambiguous: [String]?, _ source: String) -> Note {
        if let ambiguous, let first = named.first {
            let locations =
                ambiguous.prefix(3).map(quoted).joined(separator: " or ") + (ambiguous.count > 3 ? " …" : "")
            return "its rows name \(quoted(first)), which may be \(locations): write the folders, too"
        }
        if let ambiguous { return Note(AnnotationFileName.ambiguity(of: name, ambiguous)) }
        if let first = named.first { return "its rows name \(quoted(first)), which is not one of \(source)" }
        return
            "its rows name no recording, and it is named like none; \(setting: .pathColumn) names the column of recordings, if it has one"
    }

    /// Leaves out tables of one recording, of which the user has to choose, with a problem for each set of them.
    private mutating func leaveConflicts(
        of found: inout [(table: AnnotationTable, recordings: Set<String>)], _ recordings: inout Recordings
    ) {
        var tables: [String: [Int]] = [:]
        for (number, one) in found.enumerated() {
            for location in one.recordings.subtracting(recordings.annotated) {
                tables[location, default: []].append(number)
            }
        }
        var (sets, left): ([[Int]: [String]], Set<Int>) = ([:], [])
        for location in recordings.locations {
            guard let several = tables[location], several.count > 1 else { continue }
            sets[several, default: []].append(location)
        }
        for (several, locations) in sets.sorted(by: { $0.value[0] < $1.value[0] }) {
            problems.append(Self.choice(locations[0], several.map { found[$0].table.path }, rest: locations.count - 1))
            left.formUnion(several)
            for number in several {
                let clips = found[number].recordings.flatMap { recordings.clips[$0] ?? [] }
                unread.append((found[number].table.path, .beside(clips)))
            }
        }
        for number in left {
            seen.insert(Self.identity(found[number].table.path))
            recordings.annotated.formUnion(found[number].recordings)
        }
        found = found.indices.filter { !left.contains($0) }.map { found[$0] }
    }

    /// A table that is named like no recording next to it, or like several; nil: it is not a table of annotations.
    ///
    /// - Parameter isUnclaimed: Whether what is not read has a remark.
    private mutating func other(_ path: String, isUnclaimed: Bool) throws -> AnnotationTable? {
        guard FileStatus(path: path)?.isRegular == true, let start = AnnotationDocument(startOf: path) else {
            return nil
        }
        let name = path.lastName
        let folder = Folder.containing(path)
        guard AnnotationFileName.isPossible(name), let kind = AnnotationTable.kind(of: start, options: options) else {
            if let foreign = start.foreign {
                addForeign(path, foreign, in: folder)
            } else if isUnclaimed, let reason = AnnotationTable.missingColumns(start, options) {
                addUnclaimed(path, in: folder, because: reason)
            }
            return nil
        }
        if kind == .manifest {
            guard AnnotationFileName.isOfAll(name) || MarkedParts.isTable(path, options), !OwnManifest.isOne(path)
            else {
                return nil
            }
            guard !OwnManifest.isOfClips(path) else {
                seen.insert(Self.identity(path))
                account.add(.manifestsSkipped, source: folder, quoted(path))
                return nil
            }
        }
        guard format == nil || format == kind.name else { return nil }
        // A table without rows, or with problems, does not show which recordings it belongs to.
        let table: AnnotationTable
        do {
            table = try self.table(AnnotationDocument(path: path))
        } catch  where error.isSystemFault {
            throw error
        } catch {
            addUnclaimed(path, in: folder)
            return nil
        }
        if table.count == 0, table.content.annotators != nil {
            // It has annotations of others alone.
            noteAnnotators(table)
            seen.insert(Self.identity(path))
            return nil
        }
        guard table.count > 0,
            table.content.problemCount == 0 || table.content.rows.contains(where: { $0.recording != nil })
        else {
            addUnclaimed(path, in: folder, because: table.content.problems.first?.text ?? "it has no rows")
            return nil
        }
        return table
    }

    // MARK: - Several tables of a recording

    /// Reads the one annotation file among candidates; false: there is none.
    private mutating func take(_ candidates: [String], of recording: String, _ clips: [Int]) throws -> Bool {
        var kept: [(path: String, table: AnnotationTable)] = []
        for path in candidates {
            seen.insert(Self.identity(path))
            do {
                let document = try AnnotationDocument(path: path)
                let kind = AnnotationTable.kind(of: document, options: options)
                if let format, kind?.name != format, candidates.count > 1 { continue }
                if kind == nil, format == nil, document.isText,
                    Self.commonEndings.contains(document.pathExtension)
                {
                    addUnclaimed(path, in: Folder.containing(path))
                    continue
                }
                kept.append((path, try table(document)))
            } catch {
                try read(path, .beside(clips), isSure: true)
                return true
            }
        }
        if kept.count > 1 {
            problems.append(Self.choice(recording, kept.map(\.path), rest: 0))
            unread.append((recording, .beside(clips)))
            return true
        }
        if let one = kept.first { add(one.table, .beside(clips)) }
        return !kept.isEmpty
    }

    /// That a recording has several tables, and patterns that choose one of them each.
    ///
    /// - Parameter rest: The number of other recordings that have the same ones.
    private static func choice(_ recording: String, _ paths: [String], rest: Int) -> SourceProblem {
        let names = paths.map(\.lastName)
        let stem = DefaultIdentifier.stem(recording.lastName)
        let patterns = names.compactMap { name -> String? in
            let rest = name.hasPrefix(stem) ? name.dropFirst(stem.count) : ""
            let candidates = (rest.isEmpty ? [] : ["*" + NamePattern.escaped(rest)]) + [NamePattern.escaped(name)]
            return candidates.first { pattern in
                names.filter(NamePattern(pattern).matches) == [name]
            }
        }
        // Tables with the same name are shown with their folders.
        let shown = Set(names).count == names.count ? names : paths
        return SourceProblem(recording, .severalTables(shown, patterns: patterns, rest: rest))
    }
}
