import ConfigurationFiles
import Conformance
import Essentials
import FeatureExport
import FeatureModel
import FileIO
import Manifests
import ModelFiles
import Platform
import Presentation

/// The files of `veery presets NAME --golden FOLDER`: a sound, the expected array, and a description of both.
struct GoldenFiles {
    private let files: [(name: String, bytes: [UInt8])]

    /// What features are those of a golden, and what its description says of that.
    struct Subject {
        /// The name of its files.
        let name: String
        /// What `--preset` is given in the folder of the files.
        let given: String
        let configuration: FeatureConfiguration
        /// In Hz, where the features have the rate of each recording.
        let usualRate: Int
        fileprivate let preset: Preset?
        /// The name of a model's own file.
        fileprivate let file: String?
        fileprivate let summary: String
        fileprivate let notes: [String]

        /// The rate of the sound for a model's own file that has none.
        private static let rateOfFiles = 16_000

        /// - Parameter given: The name that it was given by; nil: its own.
        init(_ named: NamedPreset, given: String? = nil) throws {
            let isOther = !named.settings.isEmpty
            preset = named.preset
            self.given = isOther ? given ?? named.preset.rawValue : named.preset.rawValue
            name = self.given.split(separator: "/").last.map(String.init) ?? self.given
            configuration = try named.configuration()
            (usualRate, file) = (Int(named.preset.usualRate), nil)
            summary = isOther ? "\(named.words): \(named.preset.summary)" : named.preset.summary
            notes = [named.preset.note.map { "\($0)" }].compactMap(\.self)
        }

        /// - Parameter folder: That of the golden's files, which may be still to be made.
        init(_ source: ModelSource, in folder: String) throws {
            let own = ConfigurationInput.name(of: source.path)
            (file, preset) = (own, nil)
            // The file itself may be a link to one of another name.
            let way = RelativeFolder.path(to: Folder.containing(source.path), from: folder)
            given = way.map { "\($0)/\(own)" } ?? source.path
            // Another name than that of the file, which may be in the same folder, and than those of other models: one file may
            // have the stem of another next to it.
            // All recipes of Kaldi keep theirs in a folder "conf".
            let folders = (RelativeFolder.resolved(Folder.containing(source.path)) ?? "").split(separator: "/")
            name = [folders.last { $0 != "conf" }, own[...], "golden"].compactMap(\.self).joined(separator: "-")
            configuration = try FeatureConfiguration(source.model.tree.root)
            usualRate = Self.rateOfFiles
            summary = "\(source.model.className), as in \(source.model.format.title)"
            notes = source.model.remarks + [source.model.open?.remark].compactMap(\.self)
        }
    }

    /// - Throws: `SignalError` where memory runs out.
    init(_ subjects: [Subject]) throws {
        files = try subjects.flatMap { try Self.files($0) }
    }

    /// Writes the files; existing files with the same bytes are not touched.
    ///
    /// - Parameter overwrite: Whether files with other bytes are replaced.
    /// - Throws: `FileRefusal`; without `overwrite`, before any file is written.
    /// - Returns: The number of files written.
    func write(to folder: String, overwrite: Bool) throws -> Int {
        var written = 0
        let paths = files.map { URL(filePath: folder).appending(path: $0.name).path }
        var isNeeded: [Bool] = []
        for (path, file) in zip(paths, files) {
            // A pipe would wait for a writer.
            if let status = FileStatus(path: path), !status.isRegular {
                throw FileRefusal(path: path, reason: "is no regular file, so it is not replaced")
            }
            let found: [UInt8]?
            do throws(SystemError) {
                found = try SharedFile.contents(of: path, maximum: file.bytes.count + 1)
            } catch {
                guard error.code == ENOENT else { throw FileRefusal(path: path, "cannot be read", error) }
                found = nil
            }
            isNeeded.append(found != file.bytes)
            if found != nil, isNeeded.last == true, !overwrite {
                throw FileRefusal(
                    path: path,
                    reason: "the file exists and has other content, so it is not replaced without --overwrite")
            }
        }
        do throws(SystemError) { try Folder.make(folder) } catch {
            throw FileRefusal(path: folder, "the folder cannot be made", error)
        }
        for (index, file) in files.enumerated() where isNeeded[index] {
            do throws(AtomicFileError) {
                try AtomicFile.write(file.bytes, to: paths[index])
            } catch {
                guard let refused = error.system else {
                    throw FileRefusal(path: paths[index], reason: "is no regular file, so it is not replaced")
                }
                throw FileRefusal(path: paths[index], "the file cannot be written", refused)
            }
            written += 1
        }
        return written
    }

    private static func files(_ subject: Subject) throws -> [(name: String, bytes: [UInt8])] {
        let (name, configuration) = (subject.name, subject.configuration)
        let golden = try FeatureGolden(configuration, usualRate: subject.usualRate)
        let features = golden.features
        var array = ArrayHeader.bytes(descr: "<f4", extents: golden.extents)
        array += features.values.flatMap { value in
            (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
        }
        let sound = golden.sound.wav
        func checksum(_ bytes: [UInt8]) -> String {
            var hash = SHA256Hash()
            bytes.withUnsafeBytes { hash.update($0) }
            return hash.finish()
        }
        let tolerance = ConformanceCheck.usualTolerance
        let about = JSONObject(entries: [
            "preset": subject.preset?.rawValue, "file": subject.file, "summary": subject.summary,
            "notes": subject.notes.isEmpty ? nil : subject.notes.joined(separator: "\n"),
            "source": subject.preset?.source, "generator": VeeryVersion.generator,
            "sound": "\(name).wav", "sampleRate": golden.sound.rate, "samples": golden.sound.samples.count,
            "array": "\(name).npy", "shape": golden.extents, "dtype": "float32",
            "unit": configuration.normalize.scope == .dataset ? configuration.units : configuration.storedUnits,
            "normalization": configuration.normalize.scope == .dataset
                ? "none: before that over a dataset"
                : configuration.normalize.scope == .none ? "none" : "as configured",
            "tolerance": JSONObject(entries: [
                "rootMeanSquare": tolerance, "maximum": tolerance * ValueDifference.maximumFactor,
                "meaning": "of the differences, as shares of the range of the array; double precision is within 1e-6",
            ]),
            "check":
                "veery conform YOURS.npy \(ShellText.word("\(name).wav")) --preset \(ShellText.word(subject.given))",
            "configuration": configuration,
            "configurationSHA256": checksum(Array((try ConfigurationText.json(configuration) + "\n").utf8)),
            "soundSHA256": checksum(sound), "arraySHA256": checksum(array),
        ])
        let text = try JSONEncoder.reports([.prettyPrinted, .withoutEscapingSlashes]).encode(about)
        return [("\(name).wav", sound), ("\(name).npy", array), ("\(name).json", Array(text) + Array("\n".utf8))]
    }
}
