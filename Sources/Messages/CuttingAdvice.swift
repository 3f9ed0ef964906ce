import FeatureModel
import Manifests
import Presentation

/// What to do about clips that are longer or shorter than the features or their model take: the command that cuts them.
package struct CuttingAdvice: Sendable {
    /// The manifest, folder or recording that is cut; nil: unknown.
    private let source: String?
    /// The same for remarks of a kind, where each is about recordings of its own.
    private let sources: [Remark.Kind: String]
    /// The options with which it is read.
    private let options: [String]
    /// Of the features; nil: unknown.
    private let configuration: FeatureConfiguration?

    /// - Parameters:
    ///   - source: The manifest, folder or recording that is cut; nil: unknown, as for a feature file.
    ///   - options: The options with which it is read, such as `--root` and its value.
    ///   - configuration: That of the features; nil: unknown.
    package init(_ source: String? = nil, options: [String] = [], _ configuration: FeatureConfiguration? = nil) {
        (self.source, self.options, self.configuration) = (source == "-" ? nil : source, options, configuration)
        sources = [:]
    }

    /// - Parameters:
    ///   - sources: For each kind of remark, the first recording that it is about.
    ///   - configuration: That of the features.
    package init(_ sources: [Remark.Kind: String], _ configuration: FeatureConfiguration) {
        (source, options, self.sources, self.configuration) = (nil, [], sources, configuration)
    }

    /// Whether the command that gives the account is `clips` itself, which has read the annotations that there are.
    private(set) var isOfClips = false

    /// That of `clips`.
    package static var ofClips: CuttingAdvice {
        var advice = CuttingAdvice()
        advice.isOfClips = true
        return advice
    }

    /// Nil: the remark is about something else.
    func advice(on kind: Remark.Kind) -> String? {
        switch kind {
        case .clipsShortened, .windowsExceeded:
            return "'\(command(on: kind, seconds(kind), "keep"))' makes a clip of each part"
        case .windowsShort:
            let seconds = seconds(kind)
            return
                "--set audio.minimum=\(seconds ?? "SECONDS") appends zeros, and '\(command(on: kind, seconds, "drop"))' "
                + "leaves out what is shorter"
        default: return nil
        }
    }

    /// The length of the parts in s. Models are looked up for it, so only where there is something to say.
    private func seconds(_ kind: Remark.Kind) -> String? {
        configuration.flatMap { FeatureLimits($0).seconds(for: kind)?.shortText }
    }

    /// The sentence on a model's window of so many seconds, with a command in which RECORDINGS is to be replaced.
    package static func windows(_ seconds: Double) -> String {
        let typed = command([sourceInGeneral], seconds.shortText, [], file)
        return "The model takes \(seconds.shortText) s at a time: '\(typed)' cuts such windows."
    }

    private func command(on kind: Remark.Kind, _ seconds: String?, _ partial: String) -> String {
        let source = sources[kind] ?? source
        var folder = source ?? ""
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        let input = [source.map(ShellText.file) ?? Self.sourceInGeneral] + options.map(ShellText.word)
        return Self.command(input, seconds, ["--partial", partial], ShellText.newFile(beside: folder, Self.file))
    }

    private static func command(_ input: [String], _ seconds: String?, _ rest: [String], _ output: String) -> String {
        let window = ["--window", seconds.map { "\($0)s" } ?? "TIME"]
        return (["veery", "clips"] + input + window + rest + ["-o", ShellText.file(output)]).joined(separator: " ")
    }

    private static let (sourceInGeneral, file) = ("RECORDINGS", "windows.csv")
}
