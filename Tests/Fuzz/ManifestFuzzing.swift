import Annotations
import FeatureModel
import Foundation
import Messages

@testable import Manifests

/// Manifests in all formats; the first byte chooses one.
enum ManifestFuzzing {
    static func take(_ bytes: UnsafeRawBufferPointer) {
        let (choice, text) = bytes.split
        let formats = ManifestFormat.allCases
        let format = formats[choice % formats.count]
        let path = ScratchFile.write(text, "manifest")
        do throws(ManifestError) {
            let manifest = try Manifest.scan(path: path, format: format)
            let clips = try clips(of: manifest)
            law(clips.count == manifest.clipCount, "as many clips as were counted")
            law(clips.allSatisfy { !$0.path.isEmpty && !$0.id.isEmpty }, "a clip has a path and an id")
            law(
                clips.allSatisfy { $0.label.isEmpty || manifest.labelIndex(of: $0.label) != nil },
                "every label is known")
            law(
                clips.allSatisfy { $0.extra.count == manifest.extraColumns.count }, "a value for every other column")
            if let rows = rows(text, format) { law(rows == clips.count, "every line is a clip: \(rows)") }
            if clips.count <= 32 { writeBack(clips, manifest) }
        } catch {
            law(!error.description.isEmpty, "an error says something")
        }
    }

    private static func clips(of manifest: Manifest) throws(ManifestError) -> [Clip] {
        let reader = try ManifestReader(manifest)
        var clips: [Clip] = []
        while let clip = try reader.next() { clips.append(clip) }
        law(reader.sha256 == manifest.sha256, "both readings see the same")
        return clips
    }

    /// The rows that the text has, where that is as easy as counting lines.
    private static func rows(_ text: UnsafeRawBufferPointer, _ format: ManifestFormat) -> Int? {
        let isBlank: (UInt8) -> Bool =
            switch format {
            case .tsv: { $0 == 0x0D }
            case .jsonLines: { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            case .csv, .quotedTSV: { _ in false }
            }
        guard format == .tsv || format == .jsonLines, !text.starts(with: GzipBytes.signature),
            UTF16Bytes.isBigEndian(text) == nil
        else { return nil }
        var content = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...]
        if format == .tsv, let comments = LeadingComments(UnsafeRawBufferPointer(rebasing: content)) {
            content = content.dropFirst(comments.byteCount)
        }
        let lines = content.split(separator: 0x0A).count { !$0.allSatisfy(isBlank) }
        return format == .tsv ? lines - 1 : lines
    }

    /// What is written reads back as the same clips, or is refused.
    private static func writeBack(_ clips: [Clip], _ manifest: Manifest) {
        for format in [ManifestFormat.jsonLines, manifest.format] {
            let path = ScratchFile.folder + "/written"
            do throws(ManifestError) {
                try ManifestWriter(format: format, extraColumns: manifest.extraColumns)
                    .write(clips, to: path, overwriting: true)
            } catch {
                switch error {
                case .unwritableClip, .unwritableColumn: continue
                default: fatalError("law broken: clips that were read can be written: \(error)")
                }
            }
            do throws(ManifestError) {
                let again = try Manifest.scan(path: path, format: format)
                law(try self.clips(of: again) == clips, "what is written as \(format) reads back as the same")
            } catch {
                fatalError("law broken: what is written as \(format) can be read: \(error)")
            }
        }
    }
}

/// Values of JSON.
enum JSONFuzzing {
    static func take(_ bytes: UnsafeRawBufferPointer) {
        guard let compact = compact(Array(bytes)) else { return }
        law(compact.kind != .nested || self.compact(compact.text)?.text == compact.text, "compact JSON is not changed")
        guard compact.kind == .string else { return }
        var written: [UInt8] = []
        JSONText.append(compact.text, to: &written)
        law(self.compact(written)?.text == compact.text, "a string that is written reads back")
    }

    private static func compact(_ bytes: [UInt8]) -> (text: [UInt8], kind: JSONScanner.Kind)? {
        bytes.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            var text: [UInt8] = []
            guard let kind = try? scanner.takeValue(into: &text) else { return nil }
            return (text, kind)
        }
    }
}

/// Annotation files of all formats; the first byte chooses the file's name and how quotes are understood.
enum AnnotationFuzzing {
    static func take(_ bytes: UnsafeRawBufferPointer) {
        let (choice, text) = bytes.split
        let names = ["table.txt", "table.csv", "table.tsv", "table.jsonl", "table.TextGrid", "table.xml"]
        let path = ScratchFile.write(text, names[choice % names.count])
        do {
            let table = try AnnotationTable(path: path, quoting: choice & 64 == 0 ? .literal : .csv)
            let found = (try? table.annotations(of: "recording.wav", sampleRate: 8000)) ?? []
            law(found.count <= table.count, "no more annotations than rows")
            law(
                found.allSatisfy { $0.start.isFinite && $0.end.isFinite && $0.end >= $0.start }, "times are in order")
        } catch let error as AnnotationError {
            law(!error.description.isEmpty, "an error says something")
        } catch let error as ManifestError {
            law(!error.description.isEmpty, "an error says something")
        } catch {
            fatalError("law broken: an error of another kind: \(error)")
        }
    }
}
