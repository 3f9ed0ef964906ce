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
    private let limits: FeatureLimits?

    /// - Parameters:
    ///   - source: The manifest, folder or recording that is cut; nil: unknown, as for a feature file.
    ///   - options: The options with which it is read, such as `--root` and its value.
    ///   - limits: Those of the features; nil: unknown.
    package init(_ source: String? = nil, options: [String] = [], _ limits: FeatureLimits? = nil) {
        (self.source, self.options, self.limits) = (source == "-" ? nil : source, options, limits)
        sources = [:]
    }

    /// - Parameters:
    ///   - sources: For each kind of remark, the first recording that it is about.
    ///   - limits: Those of the features.
    package init(_ sources: [Remark.Kind: String], _ limits: FeatureLimits) {
        (source, options, self.sources, self.limits) = (nil, [], sources, limits)
    }

    /// Nil: the remark is about something else.
    func advice(on kind: Remark.Kind) -> String? {
        let seconds = limits?.seconds(for: kind)?.shortText
        switch kind {
        case .clipsShortened, .windowsExceeded:
            return "'\(command(on: kind, seconds, "keep"))' makes a clip of each part"
        case .windowsShort:
            return
                "--set audio.minimum=\(seconds ?? "SECONDS") appends zeros, and '\(command(on: kind, seconds, "drop"))' "
                + "leaves out what is shorter"
        default: return nil
        }
    }

    /// What to do for a model that takes so many seconds at a time, of recordings that nobody has named yet.
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
