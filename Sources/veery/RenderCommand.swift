import ArgumentParser
import FeatureModel
import FeaturePipeline
import FeatureStorage
import Foundation
import Plotting

extension ColorTable: ExpressibleByArgument {}

/// `veery render`
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw a clip's stored features, or a recording, as a PNG.",
        discussion: """
            From a feature file, the values are drawn as they are stored. From a
            recording, the configuration says what is computed; normalisation over a
            dataset is left out, since there is none.

            Examples:
              veery render features.h5 --clip en/digits/7 -o seven.png
              veery render song.wav -o song.png
              veery render song.wav --preset scrolling-dct --colors false-color -o a.png
              veery render dawn.flac --start 60 --end 75 --set scale.kind=db -o b.png
            """)

    @Argument(help: "A feature file, or a recording.", completion: .file())
    var input: String

    @Option(name: .shortAndLong, help: "The picture to write.", completion: .file(extensions: ["png"]))
    var output: String

    @Option(help: ArgumentHelp("The id of the clip in the feature file.", valueName: "id"))
    var clip: String?

    @OptionGroup(title: "For a recording") var recording: RecordingOptions

    @OptionGroup(title: "For a recording: what is computed") var settings: ConfigurationOptions

    @OptionGroup(title: "Appearance") var appearance: PictureOptions

    func run() throws {
        guard output.lowercased().hasSuffix(".png") else {
            throw ValidationError("\(output): pictures are PNG: give a name that ends in .png.")
        }
        guard PNGFile.isReplaceable(output) else {
            throw ValidationError("\(output): the file exists and is no PNG picture, so it is not replaced.")
        }
        let picture = try clip != nil || HDF5Signature.begins(input) ? stored() : computed()
        try picture.writePNG(to: output)
    }

    private func stored() throws -> SpectrogramPicture {
        guard recording.isEmpty, settings.isEmpty else {
            throw ValidationError(
                "\(input) is a feature file: --preset, --config, --set, --start, --end and --channel are for recordings."
            )
        }
        CrashGuard.begin(input)
        defer { CrashGuard.end() }
        let file = try FeatureReader(path: input)
        guard let clip else {
            let ids = try file.clips(0..<min(3, file.clipCount)).map { "'\($0.id)'" }
            throw ValidationError(
                "\(input) is a feature file: name a clip with --clip, such as \(ids.joined(separator: ", ")).")
        }
        let found = try file.clip(id: clip)
        do {
            return try appearance.picture(
                file.features(of: found), axis: file.axis, framePeriod: file.framePeriod,
                firstFrameTime: file.firstFrameTime,
                title: found.label.isEmpty ? found.id : "\(found.id)  –  \(found.label)",
                subtitle: "\(file.longName), \(Wording.duration(found.duration)) recorded at \(found.sampleRate) Hz",
                units: file.units)
        } catch let error as PlotError {
            // Such as a period of frames that only a damaged file has.
            throw RecordingError(path: input, reason: "\(error)")
        }
    }

    private func computed() throws -> SpectrogramPicture {
        let configuration = try settings.configuration
        let segment = try recording.segment
        let features: RecordingFeatures
        do {
            features = try RecordingFeatures(
                path: input, segment: segment, channel: recording.channel, configuration: configuration)
        } catch let failure as ClipFailure {
            throw RecordingError(path: input, reason: failure.reason)
        }
        for warning in features.plan.warnings { Console.note("warning: \(warning)") }
        let isNormalized = configuration.normalize.scope == .clip
        return try appearance.picture(
            features.matrix, axis: features.plan.axis, framePeriod: features.plan.framePeriod,
            firstFrameTime: features.plan.firstFrameTime + features.recording.start,
            title: URL(filePath: input).lastPathComponent,
            subtitle: "\(configuration.transform.longName), \(Wording.duration(features.recording.duration)) "
                + "recorded at \(features.recording.sampleRate) Hz",
            units: isNormalized ? configuration.storedUnits : configuration.units)
    }
}

/// A recording, or a clip of a feature file, that cannot be drawn.
private struct RecordingError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): \(reason)" }
}
