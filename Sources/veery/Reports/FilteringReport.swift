import ClipFeatures
import FeatureModel
import Presentation

struct FilteringReport {
    let summary: FilteringSummary
    let output: String
    let filter: DCTFilterConfiguration
    let elapsedSeconds: Double

    var warnings: [String] {
        var warnings: [String] = []
        if summary.clippedSamples > 0 {
            let all = summary.frames * summary.channels
            warnings.append(
                "\(Wording.count(summary.clippedSamples, "sample")) of \(Wording.count(all)) exceeded full scale and "
                    + "were clipped; a quieter recording, or floating-point samples, would avoid that")
        }
        if let cut = summary.cutOff { warnings.append("\(cut.reason): these were filtered") }
        if summary.zeroedSamples > 0 {
            warnings.append(
                "samples that were infinite or not a number became 0: \(Wording.count(summary.zeroedSamples))")
        }
        if !summary.lostTags.isEmpty {
            let names = summary.lostTags.joined(separator: ", ")
            warnings.append("the format of \(output) cannot store these tags: \(names)")
        }
        return warnings
    }

    var text: String {
        let seconds = Double(summary.frames) / Double(summary.sampleRate)
        let rate = Int(seconds / max(elapsedSeconds, 1e-3))
        let width = Double(summary.sampleRate) / Double(2 * DCTFilterConfiguration.pageLength)
        func hertz(_ bin: Int) -> String { Wording.number((Double(bin) * width * 10).rounded() / 10) }
        let (low, high) = (summary.bins.lowerBound, summary.bins.upperBound)
        let channels = summary.channels > 2 ? "\(summary.channels) channels" : Wording.channels(summary.channels)
        return
            "wrote \(output): \(filter.mode == .bandPass ? "band-pass" : "band-stop") \(hertz(low)) to \(hertz(high)) Hz "
            + "(bins \(low) to \(high) of \(DCTFilterConfiguration.pageLength))\(filter.pages == .separate ? ", separate pages" : ""), "
            + "\(summary.format), "
            + "\(channels), \(summary.sampleRate) Hz; "
            + "\(Wording.duration(seconds)) of audio in \(Wording.duration(elapsedSeconds)) "
            + "(\(Wording.count(rate))× real time)"
    }
}
