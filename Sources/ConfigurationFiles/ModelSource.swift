import Archives
import FeatureModel
import FileIO
import ModelFiles
import Platform

/// A model's own file, as it was found: the file itself, a member of a `.nemo` archive, or one of a folder.
package struct ModelSource: Sendable {
    /// The file that was read, for people: in a folder or an archive, too.
    package let path: String
    /// What was given where that is not the file itself.
    package let given: String?
    /// The names of other files of Kaldi's in the same folder, where that was looked into.
    package let passedOver: [String]
    package let model: ModelConfiguration
    /// Name and checksum of the file, and of each file that it names: what `/provenance/configuration_files` holds.
    package let inputs: [ConfigurationInput]

    /// The longest text, in bytes: a file may list a vocabulary.
    private static let maximumLength = 8 << 20
    /// The member of a `.nemo` archive.
    private static let member = "model_config.yaml"

    /// Files of a snapshot of a model, those first whose format says most.
    private static let names = [
        "processor_config.json", "preprocessor_config.json", "model_config.yaml", "feature_config.yaml",
        "feature_config.yml",
        "feature_config", "fbank.yml", "fbank.yaml", "fbank.conf", "mfcc.conf", "conf/fbank.conf", "conf/mfcc.conf",
        "config.yaml", "train.yaml",
    ]

    /// Reads a file, or looks into a folder.
    ///
    /// - Throws: `ModelSourceError`, or `ConfigurationFileError` where a file cannot be read.
    package init(path: String) throws {
        self =
            FileStatus(path: path)?.isFolder == true ? try Self.found(in: path) : Self(path, nil, try Self.read(path))
    }

    private init(_ path: String, _ given: String?, _ found: Found, passedOver: [String] = []) {
        (self.path, self.given, model, inputs) = (path, given, found.model, found.inputs)
        self.passedOver = passedOver
    }

    private struct Found {
        let model: ModelConfiguration
        let inputs: [ConfigurationInput]
    }

    private static func found(in folder: String) throws -> ModelSource {
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        var paths = Self.names.map { start + $0 }
        paths += try Self.archives(in: folder).map { start + $0 }
        var found: [(path: String, read: Found)] = []
        var problem: (any Error)?
        var unrecognised: [ModelSourceError.Unrecognised] = []
        for path in paths where FileStatus(path: path)?.isRegular == true {
            // An extractor inside of a processor's file wins over the one next to it.
            let isInner = found.first?.path.hasSuffix("/processor_config.json") == true
            if isInner, path.hasSuffix("/preprocessor_config.json") { continue }
            do {
                found.append((path, try Self.read(path)))
            } catch ModelSourceError.file(let path, .unrecognised(let reason)) {
                // A network's configuration, or one of another tool.
                unrecognised.append(.init(path: path, reason: reason))
            } catch {
                if problem == nil { problem = error }
            }
        }
        if let problem { throw problem }
        guard let first = found.first else {
            if unrecognised.count == 1 {
                throw ModelSourceError.file(unrecognised[0].path, .unrecognised(unrecognised[0].reason))
            }
            throw unrecognised.isEmpty
                ? ModelSourceError.nothingInFolder(folder, names: Self.names + ["*.nemo"])
                : ModelSourceError.unrecognisedInFolder(folder, unrecognised)
        }
        let configuration = try? FeatureConfiguration(first.read.model.tree.root)
        if let other = found.first(where: { (try? FeatureConfiguration($0.read.model.tree.root)) != configuration }) {
            throw ModelSourceError.disagreement(folder, first.path, other.path)
        }
        return Self(
            first.path, folder, first.read,
            passedOver: first.read.model.format == .kaldi
                ? Self.others(nextTo: first.path, among: found.map(\.path)) : [])
    }

    /// How many files next to one of Kaldi's are read for their names.
    private static let maximumOthers = 100

    /// The names of Kaldi's files next to one, but for those that were read: recipes keep several, such as `mfcc_hires.conf`.
    private static func others(nextTo path: String, among read: [String]) -> [String] {
        let folder = Folder.containing(path)
        let names = ((try? DirectoryListing.names(in: folder)) ?? []).filter { $0.hasSuffix(".conf") }.sorted()
        return names.prefix(maximumOthers).filter { name in
            let other = "\(folder)/\(name)"
            return !read.contains { $0 == other || ConfigurationInput.name(of: $0) == name }
                && (try? Self.read(other))?.model.format == .kaldi
        }
    }

    /// The archives of NeMo in a folder.
    private static func archives(in folder: String) throws(ConfigurationFileError) -> [String] {
        do {
            return try DirectoryListing.names(in: folder).filter { $0.hasSuffix(".nemo") }.sorted()
        } catch {
            throw .system(path: folder, code: error.code)
        }
    }

    private static func read(_ path: String) throws -> Found {
        let (text, checksum, isMember) = try contents(path)
        let name = ConfigurationInput.name(of: path)
        var inputs = [
            ConfigurationInput(kind: .model, name: isMember ? "\(name)/\(member)" : name, xxh3: checksum.hex)
        ]
        do throws(ModelFileError) {
            let model = try file(text, named: name).configuration(named: name) { other in
                neighbour(of: path, other).map { text, checksum in
                    let name = ConfigurationInput.name(of: other)
                    inputs.append(ConfigurationInput(kind: .model, name: name, xxh3: checksum.hex))
                    return text
                }
            }
            return Found(model: model, inputs: inputs)
        } catch {
            throw ModelSourceError.file(path, error)
        }
    }

    /// The text of a file that another one names, within its folder, and the checksum of its bytes; nil: there is none.
    private static func neighbour(of path: String, _ name: String) -> (text: String, checksum: Checksum128)? {
        guard !name.isEmpty, !name.hasPrefix("/"), !name.contains(".."), !name.contains("\0") else { return nil }
        return try? ConfigurationFile.contents(path: "\(Folder.containing(path))/\(name)", maximum: maximumLength)
    }

    /// The text of a file, or of the configuration inside of an archive, and the checksum of its bytes.
    private static func contents(_ path: String) throws -> (text: String, checksum: Checksum128, isMember: Bool) {
        if path.lowercased().hasSuffix(".nemo") || isTar(path) {
            let bytes: [UInt8]
            do {
                let part = try Archive(path: path).part(member)
                guard part.count <= maximumLength else {
                    throw ModelSourceError.archive(
                        path, "\(member): expected at most \(maximumLength) bytes, found \(part.count)")
                }
                bytes = try part.file.bytes(at: part.offset, part.count)
            } catch let error as ArchiveError {
                throw ModelSourceError.archive(path, "\(member): \(error.words)")
            } catch let error as SystemError {
                throw ConfigurationFileError.system(path: path, code: error.code)
            }
            guard let text = String(bytes: bytes, encoding: .utf8) else {
                throw ModelSourceError.archive(path, "\(member): expected text in UTF-8")
            }
            return (text, bytes.withUnsafeBytes { XXH3Hash128.checksum(of: $0) }, true)
        }
        let (text, checksum) = try ConfigurationFile.contents(path: path, maximum: maximumLength)
        return (text, checksum, false)
    }

    /// Whether a file is a tar: whether its first header names that format.
    private static func isTar(_ path: String) -> Bool {
        guard FileStatus(path: path)?.isRegular == true, let file = try? SharedFile(path: path) else { return false }
        return (try? file.bytes(at: 257, 5)) == Array("ustar".utf8)
    }

    private static func file(_ text: String, named name: String) throws(ModelFileError) -> ModelFile {
        let text = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
        let start = text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let start else { throw .unrecognised("it is empty") }
        if start == UInt8(ascii: "{") {
            do {
                return .tree(try JSONValue(line: Array(text.utf8)))
            } catch {
                // A mapping of YAML may begin like that; the error of JSON says more of what is none.
                if let value = try? ModelYAML.value(text) { return .tree(value) }
                throw .malformed("expected JSON: \(error.text)")
            }
        }
        if let file = ModelFile(words: text) ?? ModelFile(commentsAlone: text, named: name) { return file }
        try ModelFile.refuseBareOptions(in: text)
        do {
            return .tree(try ModelYAML.value(text))
        } catch {
            throw .malformed("expected YAML: \(error.reason)")
        }
    }
}

/// Why no model's file was found, or was not understood.
package enum ModelSourceError: Error, Hashable, Sendable {
    case file(String, ModelFileError)
    /// The archive, or the file in it, cannot be read.
    case archive(String, String)
    /// A folder has none of the files.
    case nothingInFolder(String, names: [String])
    /// The files of a folder that have such a name are no model's own, or do not say whose they are.
    case unrecognisedInFolder(String, [Unrecognised])
    /// Two files in a folder describe different features.
    case disagreement(String, String, String)

    /// A file, and why it was not understood.
    package struct Unrecognised: Hashable, Sendable {
        package let path: String
        package let reason: String
    }
}
