import FeatureModel
import Platform
import SignalProcessing

/// Variations of several keys of the scale that belong together: none of them fits alone.
enum ScaleVariations {
    static func together(_ context: VariationContext) -> [Variation] {
        references(context) + spectra(context) + floors(context) + unlimited(context) + whisper(context) + pcen(context)
    }

    /// Floors that a distance from the greatest value no longer hides.
    private static func unlimited(_ context: VariationContext) -> [Variation] {
        guard context.configuration.scale.topDB != nil else { return [] }
        return (usualFloors + ValueVariations.floors(context)).flatMap { floor in
            ["max", "add"].map { Variation("scale.top_db=null scale.floor=\(floor) scale.guard=\($0)") }
        }
    }

    private static let usualFloors = ["1e-5", "1e-6", "1e-7", "1e-8", "1e-9", "1e-10", "1e-12", "0x1p-24", "0x1p-23"]

    /// Floors of bands that are scaled otherwise, or that an epsilon no longer keeps away from them.
    private static func floors(_ context: VariationContext) -> [Variation] {
        let scale = context.configuration.scale
        guard scale.kind.isLogarithmic, let bank = context.configuration.transform.bank else { return [] }
        var list: [Variation] = []
        if bank.scale != .linear {
            let norm = bank.norm == .slaney ? "none" : "slaney"
            list += usualFloors.map { Variation("transform.mel_norm=\(norm) scale.floor=\($0)") }
        }
        guard bank.epsilon > 0 else { return list }
        return list
            + usualFloors.flatMap { floor in
                ["max", "add"].map { Variation("transform.spectrum_epsilon=0 scale.floor=\(floor) scale.guard=\($0)") }
            }
    }

    /// Powers that are divided by a number that depends on the frame, before the logarithm's floor.
    private static func references(_ context: VariationContext) -> [Variation] {
        let scale = context.configuration.scale
        let powers: [(FactorMeaning.Power, String)] = [
            (.windowPower, "powers divided by the sum of the squared window, as normalized=True of torchaudio"),
            (.length, "powers divided by fft_length, as normalized=\"frame_length\" of torchaudio"),
            (.windowSum, "spectra divided by the sum of the window"), (.squaredLength, "spectra divided by fft_length"),
        ]
        guard context.configuration.transform != .raw, scale.kind != .pcen else { return [] }
        return powers.map { power, note in
            let divisor = 1 / power.factor(context.plan)
            let isRoot = [.magnitude, .linear, .complex].contains(scale.kind)
            var words = "scale.reference=\((scale.reference * (isRoot ? sqrt(divisor) : divisor)).word)"
            if scale.kind.isLogarithmic { words += " scale.floor=\((scale.floor * divisor).word)" }
            return Variation(words, note: note)
        }
    }

    /// Magnitudes for powers and the reverse, with the exponent that keeps the loudness.
    private static func spectra(_ context: VariationContext) -> [Variation] {
        let scale = context.configuration.scale
        guard scale.kind == .power, let bank = context.configuration.transform.bank else { return [] }
        return ["power", "magnitude", "real"].compactMap { name in
            guard name != bank.spectrum.rawValue, (name == "magnitude") != (bank.spectrum == .magnitude) else {
                return nil
            }
            let exponent = name == "magnitude" ? scale.exponent * 2 : scale.exponent / 2
            return Variation("transform.spectrum=\(name) scale.exponent=\(exponent.word)")
        }
    }

    /// Whisper's limit of 8 below the maximum with natural logarithms.
    private static func whisper(_ context: VariationContext) -> [Variation] {
        let scale = context.configuration.scale
        guard scale.kind == .log10, let limit = scale.topDB else { return [] }
        return [
            Variation(
                "scale.kind=ln scale.top_db=\((limit / log(10)).word)",
                note: "natural logarithms, with the limit as a number as it was")
        ]
    }

    /// PCEN as librosa's documentation has it: of magnitudes, the samples brought to 32 bits.
    private static func pcen(_ context: VariationContext) -> [Variation] {
        guard context.configuration.scale.kind != .pcen, context.isMel else { return [] }
        return [
            Variation(
                "scale.top_db=null scale.guard=max scale.kind=pcen scale.reference=0x1p-31 transform.spectrum=magnitude",
                note: "PCEN of magnitudes of 32-bit samples, as in librosa's documentation")
        ]
    }
}
