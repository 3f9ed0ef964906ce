import ArgumentParser
import FeatureModel
import Presentation

struct FilterBankOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Draw the filter bank and the window of a preset, or of a configuration file. --set changes it.",
            valueName: "preset|file"), completion: .presets)
    var filterBank: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --filter-bank: the rate, for configurations that keep the recordings' rate. Default: the one that the preset is meant for.",
            valueName: "Hz"))
    var sampleRate: Double?

    @Flag(help: "With --filter-bank: print the weights and the window as JSON on standard output.")
    var json = false

    func validate() throws {
        guard filterBank != nil || (sampleRate == nil && !json) else {
            throw ValidationError("--sample-rate and --json are for --filter-bank.")
        }
        let rates = AudioConfiguration.sampleRates
        try ValidationError.check("sample-rate", sampleRate, in: Double(rates.lowerBound)...Double(rates.upperBound))
    }
}
