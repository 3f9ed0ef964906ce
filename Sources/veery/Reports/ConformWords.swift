import ArrayFiles
import Conformance
import FeatureModel
import Messages
import ModelFiles
import Presentation

/// The sentences of `veery conform`.
struct ConformWords {
    /// The configuration that was compared with.
    let configuration: FeatureConfiguration
    /// The paths of files that its keys were read from, by key.
    let paths: [String: String]
    /// What to do about recordings that are broken.
    let advice: RecordingAdvice

    /// Two significant digits: 3.1e-07; 0.042
    static func share(_ share: Double) -> String { share.significant(2) }

    func shape(_ recording: RecordingResult) -> String {
        let expected = recording.expectedShape
        let wanted = expected.isEmpty ? "" : "expected \(expected.shapeText), \(axes); "
        let found = "shape: \(wanted)found \(recording.givenShape.shapeText)"
        let findings = shapeFindings(recording)
        return findings.isEmpty ? found : found + ": " + findings.joined(separator: ", ")
    }

    /// What is wrong with the shape of an array; empty: nothing.
    func shapeFindings(_ recording: RecordingResult) -> [String] {
        var findings = (recording.layout?.steps ?? []).map { step(recording, $0) }
        if let given = recording.layout?.matrix, recording.obstacle == nil {
            if given.bins != recording.expectedBins {
                findings.append(
                    "\(Wording.count(given.bins, "bin")) rather than \(Wording.count(recording.expectedBins))")
            }
            let difference = given.rows - recording.expectedRows
            if difference != 0 {
                findings.append(
                    "\(Wording.count(abs(difference), "row")) \(difference > 0 ? "more" : "fewer") than expected")
            }
        }
        return findings
    }

    /// The axes of the expected array.
    private var axes: String {
        if let patch = configuration.patches.shape {
            return patch.isStacked ? "patches and values" : "patches, rows and bins"
        }
        return configuration.audio.channels == .all ? "rows, channels and bins" : "rows and bins"
    }

    private func step(_ recording: RecordingResult, _ step: ArrayLayout.Step) -> String {
        switch step {
        case .extraAxes: return "it has further axes of length 1"
        case .transposed: return "transposed: bins before rows"
        case .flattened: return "flattened, all rows in one axis"
        case .stacked: return "several rows next to each other in one"
        case .patches: return "rows grouped into patches"
        case .apart: return "rows are not grouped into patches"
        case .channelsFirst: return "channels before rows"
        case .channelsJoined: return "channels and bins in one axis"
        case .firstColumn: return leftOut("column 0", recording)
        case .lastColumn: return leftOut("column \(recording.layout?.matrix.bins ?? 0), the last one,", recording)
        case .filledRows:
            let filling = recording.layout?.padding
            return "\(Wording.count(filling?.count ?? 0)) rows after the expected ones hold "
                + "\(Wording.value(Double(filling?.value ?? 0))) alone, padding"
        }
    }

    private func leftOut(_ column: String, _ recording: RecordingResult) -> String {
        let energy = "it is Kaldi's energy, the logarithm of that of each frame (use_energy)"
        return "\(column) left out" + (recording.isEnergyLeftOut ? ": " + energy : "")
    }

    private var axisCount: String {
        let isDeep = configuration.patches.shape.map { !$0.isStacked } ?? (configuration.audio.channels == .all)
        return isDeep ? "three" : "two"
    }

    func obstacle(_ obstacle: RecordingResult.Obstacle) -> String {
        switch obstacle {
        case .recording(let failure): advice.reason(failure)
        case .array(let error): "\(error)"
        case .noRows: "the recording is shorter than a frame: there is nothing to compare"
        case .noFiniteValue: "all values are infinite or not a number: nothing can be explained"
        case .oneValue(let value): "the array holds \(Wording.value(Double(value))) alone"
        case .shape:
            "expected \(axisCount) axes with values: \(axes); if it is a batch, save one of its arrays by itself"
        }
    }

    /// Why there is no explanation.
    func lack(_ lack: SearchOutcome.Lack, _ recording: RecordingResult) -> String {
        switch lack {
        case .bins: "no configuration that was tried has rows of this number of bins"
        case .rows:
            "\(rowCounts(recording)). The array may be of a part of the recording: give "
                + (advice.takesParts ? "that part, by --start and --end" : "that part's start and end in the manifest")
        case .work: "the recording is too long to try any configuration"
        case .unrelated:
            "the array has nothing to do with the features of this recording: its values do not follow theirs with any change that "
                + "was tried. Is it of another recording?"
        case .someRows: recording.equalRows.map(equalRows) ?? ""
        case .little: "no change leaves less than half of the difference"
        case .singlePrecision:
            "no change leaves less than half of the difference. It is up and down at random, in bins that are quiet next to loud "
                + "ones of their row: the original may compute in single precision, which loses these"
        case .silence:
            "most of the difference is where the samples are constant, as in digital silence: there the array changes from row to "
                + "row as by noise in the samples, such as dither, which no setting reproduces. What else differs, if anything, shows in "
                + "an array that is made without dither, or of a recording without such parts"
        case .values: "no finite value of the array has a finite one to be compared with"
        }
    }

    /// The part of a recording that an array seems to be of.
    func part(_ part: RecordingPart, _ recording: RecordingResult) -> String {
        let (start, end) = (Wording.thousandths(part.start), Wording.thousandths(part.end))
        return "the array seems to be of a part of the recording, about \(start) s to \(end) s: "
            + "\(rowCounts(recording)), which fit best from row \(part.rows.lowerBound) on. To compare them, give "
            + (advice.takesParts
                ? "--start \(start) --end \(end)" : "that part's start and end in the manifest")
    }

    /// The rows that are equal, where nothing explains the others.
    func equalRows(_ rows: EqualRows) -> String {
        let run = "rows \(rows.run.lowerBound) to \(rows.run.upperBound - 1)"
        let share = "\(Wording.count(rows.count)) of \(Wording.count(rows.compared))"
        let found =
            rows.run.count == rows.count
            ? "\(run) are equal (\(share))" : "\(share) rows are equal, in the longest run \(run)"
        return found + ", and no change explains the others, of which row \(rows.firstOther) is the first"
    }

    private func rowCounts(_ recording: RecordingResult) -> String {
        let found = recording.layout?.matrix.rows ?? 0
        return "\(Wording.count(recording.expectedRows, "row")) expected, \(Wording.count(found)) found"
    }

    func difference(_ difference: ValueDifference) -> String {
        guard difference.count > 0 else { return "no finite value to compare" }
        var text =
            "\(Self.share(difference.typical)) of the range off in the root mean square, "
            + "\(Self.share(difference.maximum)) at most"
        if let worst = difference.worstValue, difference.maximum > 0 {
            let (expected, found) = Wording.distinct(worst.expected, worst.given)
            text += " (row \(worst.row), bin \(worst.bin): expected \(expected), found \(found))"
        }
        if difference.nonFinite > 0 {
            text += "; \(Wording.count(difference.nonFinite, "value")) infinite or not a number"
        }
        return text
    }

    /// The assignments of a variation that change something.
    func changed(_ variation: Variation) -> [Variation.Assignment] { variation.effective(on: configuration) }

    /// Variations in a line, as `--set` takes them.
    func changes(_ variations: [Variation]) -> String {
        variations.map { variation in
            let keys = changed(variation).map(\.text).joined(separator: " ")
            return [keys, variation.note.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        }.joined(separator: " ")
    }

    /// What an explanation changes, a sentence each; empty: nothing.
    func sentences(_ found: Explanation) -> [String] {
        var lines: [String] = []
        for variation in found.variations {
            let keys = changed(variation)
            for (index, assignment) in keys.enumerated() {
                let note = index == 0 ? variation.note.map { ": \($0)" } ?? "" : ""
                let usual = usual(assignment)
                let expected = usual == "default" ? "" : " (rather than \(usual))"
                lines.append(assignment.text + expected + note)
            }
            if keys.isEmpty, let note = variation.note { lines.append(note) }
        }
        lines += fit(found)
        if let random = found.random {
            lines.append(
                "noise in the samples, of a standard deviation of about \(random.amplitude.significant(2)) of full scale: "
                    + "dither? A random part remains, which no setting reproduces"
                    + (random.isAloneInSilence
                        ? ", and is all that changes where the samples are constant, as in digital silence" : ""))
        }
        lines += rows(found.fit.rows)
        return lines
    }

    /// The value that a key has without the change; of a list, how many numbers, and of which file.
    private func usual(_ assignment: Variation.Assignment) -> String {
        guard let value = assignment.value(in: configuration), let numbers = value.list else {
            return assignment.text(in: configuration)
        }
        return paths[assignment.key].map { "the \(Wording.count(numbers.count, "number")) of \($0)" } ?? value.shown
    }

    /// What was fitted on top of an alternative.
    func fitted(_ model: FitModel) -> String {
        switch model {
        case .exact: ""
        case .affine: ", and a factor and an offset"
        case .binOffset: ", and an offset for each bin"
        case .binAffine: ", and a factor and an offset for each bin"
        }
    }

    private func fit(_ found: Explanation) -> [String] {
        let fit = found.fit
        switch fit.model {
        case .exact: return []
        case .binOffset:
            return ["an offset of its own for each bin: a normalisation by means, or other weights of the bands?"]
        case .binAffine:
            return [
                "a factor and an offset of its own for each bin: a normalisation by statistics that are not known here?"
            ]
        case .affine:
            let formula =
                "values × \(fit.factor[0].significant(6)) \(fit.offset[0] < 0 ? "-" : "+") "
                + abs(fit.offset[0]).significant(6)
            guard !found.meanings.isEmpty else {
                guard found.isComplete else { return ["\(formula)"] }
                let (mean, divisor) = (-fit.offset[0] / fit.factor[0], 1 / fit.factor[0])
                return [
                    "\(formula): normalised by constants? (x - \(mean.significant(6)))/\(divisor.significant(6))"
                ]
            }
            return ["\(formula): " + found.meanings.map(meaning).joined(separator: "; ")]
        }
    }

    private func rows(_ rows: RowAlignment) -> [String] {
        var lines: [String] = []
        if rows.shift != 0 {
            lines.append("the first row is row \(rows.shift) of the expected ones")
        }
        if rows.missingAtEnd > 0 { lines.append("\(Wording.count(rows.missingAtEnd, "row")) fewer at the end") }
        if rows.extraAtEnd > 0 { lines.append("\(Wording.count(rows.extraAtEnd, "row")) more at the end") }
        return lines
    }

    func meaning(_ meaning: FactorMeaning) -> String {
        switch meaning {
        case .logarithm(let kind, let multiple):
            let name = [.ln: "natural logarithms", .log10: "logarithms to the base 10", .db: "decibels"][kind] ?? ""
            let expected =
                [.ln: "natural ones", .log10: "those to the base 10", .db: "decibels"][configuration.scale.kind] ?? ""
            let part =
                multiple == 2 ? ", doubled (20 log10 of a power?)" : multiple == 0.5 ? ", halved: of magnitudes" : ""
            return kind == configuration.scale.kind
                ? "\(name)\(part)" : "\(name)\(part), where \(expected) are expected"
        case .binaryLogarithm: return "logarithms to the base 2"
        case .power(let power): return self.power(power)
        case .relativeToMaximum: return "0 is the clip's maximum (ref=np.max)"
        case .constants(let name): return "the constants of \(name)"
        case .otherConstants(let mean, let std):
            return "other constants: normalize.mean=\(mean.significant(6)) normalize.std=\(std.significant(6))"
        case .addition(let amount): return "\(amount.significant(4)) is added to each value"
        }
    }

    private func power(_ power: FactorMeaning.Power) -> String {
        switch power {
        case .int16: "samples from -32768 to 32767, where -1 to 1 is expected"
        case .unit: "samples from -1 to 1, where -32768 to 32767 is expected"
        case .windowSum: "spectra divided by the sum of the window"
        case .windowPower: "powers divided by the sum of the squared window"
        case .length: "powers divided by fft_length"
        case .squaredLength: "spectra divided by fft_length"
        case .rateAndWindow: "spectral density: powers divided by the rate and the sum of the squared window"
        case .half: "powers halved"
        case .double: "powers doubled"
        case .quarter: "powers divided by 4"
        }
    }
}
