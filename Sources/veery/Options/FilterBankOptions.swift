import ArgumentParser
import FeatureModel
import Presentation

struct FilterBankOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Draw the filter bank and the window of a preset, or of a configuration in YAML or JSON, which --set changes.",
            valueName: "preset|file"), completion: .presets)
    var filterBank: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "For configurations that keep the recordings' rate: the rate. Default: the one that the preset is meant for.",
            valueName: "Hz"))
    var sampleRate: Double?

    @Flag(help: "Print the weights and the window as JSON on standard output.")
    var json = false

    func validate() throws {
        guard filterBank != nil || (sampleRate == nil && !json) else {
            throw ValidationError("--sample-rate and --json are for --filter-bank.")
        }
        let rates = AudioConfiguration.sampleRates
        try ValidationError.check("sample-rate", sampleRate, in: Double(rates.lowerBound)...Double(rates.upperBound))
    }
}
