import Conformance
import FeatureModel
import Messages
import Presentation

/// What `veery conform` prints.
struct ConformReport {
    let result: ConformanceResult
    /// The path of the arrays as given.
    let arrays: String
    /// The configuration as chosen, a normalisation over a dataset included.
    let expected: FeatureConfiguration
    /// The preset as given; nil: a file.
    let preset: String?
    /// The paths of files that keys of the configuration were read from, by key.
    let paths: [String: String]
    /// What to do about recordings that are broken.
    let advice: RecordingAdvice

    /// Maximum number of recordings that are listed in the text.
    private static let listed = 20

    private var words: ConformWords {
        ConformWords(
            configuration: result.outcome?.base ?? result.configuration,
            paths: result.outcome?.preset == nil ? paths : [:], advice: advice)
    }

    var text: String {
        var lines = [heading]
        if let only = result.recordings.first, result.recordings.count == 1 {
            lines += details(only).map { "  " + $0 }
        } else {
            lines += list
        }
        lines += explanation
        lines += notes.map { "note: \($0)" }
        return lines.map(\.printable).joined(separator: "\n") + "\n"
    }

    private var subject: String {
        let name = preset.map { "the features \($0)" } ?? "the features"
        guard result.recordings.count == 1, let only = result.recordings.first else {
            return "\(name) of \(Wording.count(result.recordings.count, "recording"))"
        }
        return "\(name) of \(only.clip.path)"
    }

    private var heading: String {
        if result.isEqual {
            return "\(arrays): equal to \(subject)" + (otherLayouts.isEmpty ? "" : ", in another layout")
        }
        let comparable = result.recordings.filter { $0.obstacle == nil }
        let equal = result.recordings.count { $0.isEqual }
        if result.recordings.count > 1 {
            return "\(arrays): \(Wording.count(equal)) of \(Wording.count(result.recordings.count)) arrays equal to "
                + "the features\(preset.map { " \($0)" } ?? "")"
        }
        if comparable.contains(where: \.isSurpassed) {
            return "\(arrays): near to \(subject), but not equal: another configuration fits much better"
        }
        let isShape = comparable.allSatisfy { $0.hasEqualValues && $0.rows?.isComplete == true } && !comparable.isEmpty
        return isShape
            ? "\(arrays): has the values of \(subject), in another shape" : "\(arrays): differs from \(subject)"
    }

    /// Arrays that are equal, with other axes than expected.
    private var otherLayouts: [RecordingResult] {
        result.recordings.filter { $0.isEqual && $0.layout?.steps.isEmpty == false }
    }

    private func details(_ recording: RecordingResult) -> [String] {
        var lines = [words.shape(recording)]
        if let obstacle = recording.obstacle { lines.append(words.obstacle(obstacle)) }
        if let difference = recording.difference {
            lines.append("values: " + words.difference(difference))
        } else if recording.obstacle == nil {
            lines.append("values: not comparable as they are, since the number of bins is another one")
        }
        return lines
    }

    private var list: [String] {
        let differing = result.recordings.filter { !$0.isEqual }
        var lines = differing.prefix(Self.listed).map { recording in
            let state =
                recording.obstacle.map(words.obstacle)
                ?? recording.difference.map {
                    (words.shapeFindings(recording) + [words.difference($0)]).joined(separator: "; ")
                } ?? words.shape(recording)
            let explained = recording.isExplained.map { $0 ? "; explained below" : "; not explained below" } ?? ""
            return "  \(recording.clip.id): \(state)\(explained)"
        }
        if differing.count > Self.listed {
            lines.append("  … and \(Wording.count(differing.count - Self.listed)) more")
        }
        return lines
    }

    private var explanation: [String] {
        guard let outcome = result.outcome else { return [] }
        let index = result.searched ?? 0
        let recording = result.recordings[index]
        let of = result.recordings.count > 1 ? ", by \(recording.clip.id)" : ""
        let part = recording.part.map { words.part($0, recording) }
        guard let found = outcome.explanation else {
            let reason = part ?? "none" + (outcome.lack.map { ": " + words.lack($0, recording) } ?? "")
            return ["explanation\(of): " + reason]
        }
        let sentences = words.sentences(found)
        var lines = ["explanation\(of): " + verdict(outcome, found, isChanged: !sentences.isEmpty)]
        if let preset = outcome.preset { lines.append("  preset \(preset.rawValue), another one than expected") }
        lines += sentences.map { "  " + $0 }
        if sentences.isEmpty, found.isComplete, outcome.preset == nil { lines.append("  the configuration as it is") }
        if !outcome.alternatives.isEmpty {
            lines.append("next best changes alone, and what they leave:")
            lines += outcome.alternatives.map {
                "  \(ConformWords.share($0.residue))  \(words.changes($0.variations))\(words.fitted($0.model))"
            }
        }
        if let part { lines.append("or \(part)") }
        if let rows = recording.equalRows { lines.append(words.equalRows(rows)) }
        let cut = outcome.isCut ? "; others were left out, since the recording is long" : ""
        lines.append("\(Wording.count(outcome.tried, "configuration")) tried\(cut)")
        return lines
    }

    /// How well an explanation fits.
    private func verdict(_ outcome: SearchOutcome, _ found: Explanation, isChanged: Bool) -> String {
        guard isChanged || outcome.preset != nil || found.isComplete else {
            return "none: no change brings the features clearly nearer to the array"
        }
        let typical = ConformWords.share(found.difference.typical)
        let maximum = "(at most \(ConformWords.share(found.difference.maximum)))"
        let gain = outcome.gain.map { ", \(Wording.count(Int($0.rounded()))) times less than without," } ?? ""
        return found.isComplete
            ? "fits to \(typical) of the range \(maximum)\(gain) with"
            : "none is complete; the nearest is still \(typical) of the range off \(maximum)\(gain) with"
    }

    private var notes: [String] {
        var notes: [String] = []
        if expected.normalize.scope == .dataset {
            notes.append("compared before the normalisation over the dataset (normalize.scope: dataset)")
        }
        let rates = Set(result.recordings.compactMap(\.resampledFrom))
        if let rate = rates.min(), !rates.isEmpty {
            let others = rates.count > 1 ? " and other rates" : ""
            notes.append(
                "recordings of \(Wording.count(rate)) Hz\(others) are resampled by audio.resampler: "
                    + "\(expected.audio.resampler.rawValue); another resampler makes other values: where none fits, compare "
                    + "with a recording that has the rate of the features")
        }
        if let (kind, rounding) = result.recordings.compactMap(\.precision).max(by: { $0.rounding < $1.rounding }) {
            notes.append(
                "values of the precision of \(kind.rawValue): each stands for all numbers that are rounded to it, which is "
                    + "\(ConformWords.share(rounding)) of the range in the root mean square")
        }
        // That of a single array is told with its shape.
        if let first = otherLayouts.first, result.recordings.count > 1 {
            notes.append(
                "equal arrays in another layout: \(Wording.count(otherLayouts.count)), such as \(first.clip.id): "
                    + words.shapeFindings(first).joined(separator: ", "))
        }
        if !result.unusedArrays.isEmpty {
            let shown = result.unusedArrays.prefix(5).joined(separator: ", ")
            notes.append(
                "\(Wording.count(result.unusedArrays.count, "array")) of no recording: \(shown)"
                    + (result.unusedArrays.count > 5 ? " …" : ""))
        }
        return notes
    }
}

extension ConformReport: Encodable {
    func encode(to encoder: any Encoder) throws {
        let outcome = result.outcome
        try JSONObject(entries: [
            "arrays": arrays, "preset": preset, "tolerance": result.tolerance, "equal": result.isEqual,
            "recordings": result.recordings.map(encoded), "unusedArrays": result.unusedArrays,
            "explanation": outcome?.explanation.map(encoded), "unexplained": outcome?.lack?.rawValue,
            "alternatives": (outcome?.alternatives ?? []).map {
                JSONObject(entries: [
                    "changes": changes($0.variations), "fit": $0.model.rawValue, "residue": $0.residue,
                ])
            },
            "gain": outcome?.gain, "tried": outcome?.tried ?? 0, "searchCut": outcome?.isCut ?? false,
        ]).encode(to: encoder)
    }

    private func encoded(_ recording: RecordingResult) -> JSONObject {
        JSONObject(entries: [
            "id": recording.clip.id, "path": recording.clip.path, "array": recording.arrayName,
            "expectedShape": recording.expectedShape, "shape": recording.givenShape,
            "shapeChanges": (recording.layout?.steps ?? []).map(\.rawValue),
            "filledRows": recording.layout?.padding?.count,
            "energyColumn": recording.isEnergyLeftOut ? true : nil,
            "equal": recording.isEqual, "equalValues": recording.hasEqualValues,
            "surpassed": recording.isSurpassed ? true : nil, "explained": recording.isExplained,
            "precision": recording.precision?.kind.rawValue, "resampledFrom": recording.resampledFrom,
            "obstacle": recording.obstacle.map(words.obstacle),
            "part": recording.part.map {
                JSONObject(entries: ["row": $0.rows.lowerBound, "start": $0.start, "end": $0.end])
            },
            "equalRows": recording.equalRows.map {
                JSONObject(entries: [
                    "count": $0.count, "run": [$0.run.lowerBound, $0.run.upperBound - 1], "firstOther": $0.firstOther,
                ])
            },
            "difference": recording.difference.map(encoded),
        ])
    }

    private func encoded(_ difference: ValueDifference) -> JSONObject {
        JSONObject(entries: [
            "typical": difference.typical, "maximum": difference.maximum, "range": difference.range,
            "values": difference.count, "nonFinite": difference.nonFinite, "row": difference.worstValue?.row,
            "bin": difference.worstValue?.bin, "worstBin": difference.worstBin.bin,
            "worstBinShare": difference.worstBin.share, "expected": difference.worstValue?.expected,
            "found": difference.worstValue?.given,
        ])
    }

    private func encoded(_ found: Explanation) -> JSONObject {
        let rows = found.fit.rows
        return JSONObject(entries: [
            "recording": result.searched.map { result.recordings[$0].clip.id }, "complete": found.isComplete,
            "preset": result.outcome?.preset?.rawValue, "changes": changes(found.variations),
            "fit": found.fit.model.rawValue, "factor": found.fit.factor,
            "offset": found.fit.offset, "meanings": found.meanings.map(words.meaning), "noise": found.random?.amplitude,
            "rowShift": rows.shift, "missingRows": rows.missingAtEnd, "extraRows": rows.extraAtEnd,
            "difference": encoded(found.difference),
        ])
    }

    private func changes(_ variations: [Variation]) -> [JSONObject] {
        variations.flatMap { variation in
            variation.assignments.isEmpty
                ? [
                    JSONObject(entries: [
                        "frameShift": variation.frameShift == 0 ? nil : variation.frameShift,
                        "resampled": variation.ignoresRate ? false : nil, "note": variation.note,
                    ])
                ]
                : words.changed(variation).map {
                    JSONObject(entries: [
                        "key": $0.key, "value": $0.valueText, "expected": $0.text(in: words.configuration),
                        "note": variation.note,
                    ])
                }
        }
    }
}
