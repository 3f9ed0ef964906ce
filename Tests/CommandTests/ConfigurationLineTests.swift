import ConfigurationFiles
import FeatureModel
import Presentation
import Testing

@testable import veery

struct ConfigurationLineTests {
    @Test func `a limit of failures is a number or a share`() {
        let read: [(String, FailureLimit?)] = [
            ("0", .clips(0)), ("12", .clips(12)), ("1%", .percent(1)), ("0.5%", .percent(0.5)), ("100%", .percent(100)),
            ("-1", nil), ("101%", nil), ("-1%", nil), ("", nil), ("%", nil), ("nan%", nil), ("1.5", nil), ("many", nil),
        ]
        for (text, limit) in read { #expect(FailureLimit(argument: text) == limit, "'\(text)'") }
        for text in ["0", "12", "1%", "0.5%"] {
            #expect(FailureLimit(argument: text)?.description == text)
        }
        #expect(FailureLimit.clips(2).allows(2, of: 3) && !FailureLimit.clips(2).allows(3, of: 3))
        #expect(FailureLimit.percent(1).allows(1, of: 100) && !FailureLimit.percent(1).allows(1, of: 99))
        #expect(FailureLimit.percent(0).allows(0, of: 0) && !FailureLimit.percent(0).allows(1, of: 1_000_000))
        #expect(FailureLimit.percent(100).allows(7, of: 7))
    }

    @Test func `a configuration is a line`() throws {
        func line(_ preset: Preset) throws -> String {
            ConfigurationLine(configuration: try preset.configuration()).text(.plain)
        }
        #expect(
            try line(.logMel) == "16000 Hz, channels mixed · frames of 400 every 160, 512 points, hann"
                + " · 80 mel bands (slaney, area 1), 0 to 8000 Hz · ln, floor 1e-10 · zscore over the dataset, fit train"
        )
        #expect(
            try line(.scrollingDCT) == "the files' rate, first channel, 16-bit scale"
                + " · frames of 1024 every 512, 1024 points, hann · DCT-II · dB, floor 0.01048576, reference 1048576 · not normalised"
        )
        #expect(
            try line(.mixerFFT) == "the files' rate, channels mixed · frames of 512 every 512, 512 points, rectangular"
                + " · FFT, 256 bins · magnitude, reference 512 · not normalised")
        #expect(
            try line(.musicalSpectrum) == "11025 Hz, channels mixed · frames of 4096 every 1102, 4096 points, hann"
                + " · 89 notes from C1, 8 points each · magnitude · not normalised")
        #expect(
            try line(.liveWaveform).hasPrefix(
                "the files' rate, first channel · frames of 8192 every 8192, 8192 points, rectangular"
                    + " · FFT, 200 bins · magnitude"))
        let centred =
            "the files' rate, channels mixed · frames of 2048 every 512, 2048 points, hann, centred, zeros past the ends"
        let decibels = " · dB, floor 1e-10, at most 80 dB below the peak · not normalised"
        #expect(
            try line(.librosaLogMel) == centred + " · 128 mel bands (slaney, area 1), 0 to half the rate" + decibels)
        #expect(
            try line(.librosaMFCC) == centred
                + " · 20 cepstral coefficients of 128 mel bands (slaney, area 1), 0 to half the rate" + decibels)
        let torchaudio =
            "the files' rate, channels mixed · frames of 400 every 200, 400 points, hann, centred, mirrored at the ends"
        #expect(
            try line(.torchaudioLogMel) == torchaudio + " · 128 mel bands (htk, peak 1), 0 to half the rate"
                + " · ln, floor 1e-10 · not normalised")
        #expect(
            try line(.torchaudioMFCC) == torchaudio
                + " · 40 cepstral coefficients of 128 mel bands (htk, peak 1), 0 to half the rate" + decibels)
        let kaldi =
            "16000 Hz, first channel, 16-bit scale · frames of 400 every 160, 512 points, povey (symmetric), "
            + "without mean, pre-emphasis 0.97"
        let floor = " · ln, floor 1.1920928955078125e-07 · not normalised"
        #expect(
            try line(.kaldiFBank) == kaldi + " · 23 mel bands (htk, peak 1, triangles in mel), 20 to half the rate"
                + floor)
        #expect(
            try line(.kaldiMFCC) == kaldi
                + " · 13 cepstral coefficients of 23 mel bands (htk, peak 1, triangles in mel), 20 to half the rate"
                + ", lifter 22, energy for c0" + floor)
        #expect(
            try line(.htkMFCC) == "16000 Hz, first channel, 16-bit scale"
                + " · frames of 400 every 160, 512 points, hamming (symmetric)"
                + " · 13 cepstral coefficients of 23 mel bands (htk, peak 1, triangles in mel), 0 to 8000 Hz"
                + ", scaled as in HTK, lifter 22, c0 last, with deltas and delta-deltas"
                + " · ln, floor 1.0 · not normalised")
        #expect(
            try line(.whisper) == "16000 Hz, channels mixed · frames of 400 every 160, 400 points, hann, centred"
                + ", mirrored at the ends, the last left out · 80 mel bands (slaney, area 1), 0 to 8000 Hz"
                + " · 0.25 * (log10(power) + 4), floor 1e-10, at most 80 dB below the peak · not normalised")
    }

    @Test func `a configuration's conditions, window, kind and slopes are in its line`() throws {
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(channels: .number(1), duration: 2.5),
            condition: ConditionConfiguration(
                removeDC: true, dctFilter: DCTFilterConfiguration(mode: .bandStop, low: .hertz(45), high: .bin(9)),
                preEmphasis: 0.97),
            frame: FrameConfiguration(fftLength: 512, window: .flatTop, align: .kaldi),
            transform: .mel(
                MelConfiguration(bins: 40, scale: .linear, norm: .none), deltas: DeltaConfiguration(order: 1)),
            scale: ScaleConfiguration(kind: .pcen), normalize: NormalizeConfiguration(scope: .clip, axis: .all))
        #expect(
            ConfigurationLine(configuration: configuration).text(.plain) == "16000 Hz, channel 1, 2.5 s"
                + " · without mean, band-stop 45 Hz to 9 bins, pre-emphasis 0.97"
                + " · frames of 400 every 160, 512 points, flat top, mirrored at the ends"
                + " · 40 linear bands (peak 1), 0 to half the rate, with deltas"
                + " · PCEN (gain 0.98, bias 2, power 0.5, eps 1e-06, 0.4 s) · zscore over all bins by clip")
        let cosine = try FeatureConfiguration(
            audio: AudioConfiguration(), frame: FrameConfiguration(),
            transform: .dct(bins: 64, type: .four, norm: .ortho), scale: ScaleConfiguration(kind: .linear),
            normalize: .none)
        #expect(
            ConfigurationLine(configuration: cosine).text(.plain).hasSuffix(
                " · DCT-IV (ortho), 64 coefficients · amplitude · not normalised"))
        let full = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil),
            frame: FrameConfiguration(
                length: .samples(400), hop: .samples(160), fftLength: nil, align: .center, pad: .edge),
            transform: .mfcc(
                CepstrumConfiguration(
                    bank: MelConfiguration(spectrum: .magnitude), norm: .none, zeroth: .none,
                    deltas: DeltaConfiguration(order: 1, window: 4))),
            scale: ScaleConfiguration(reference: 2, limit: 9), normalize: NormalizeConfiguration(fit: ""))
        #expect(
            ConfigurationLine(configuration: full).text(.plain) == "the files' rate, channels mixed"
                + " · frames of 400 every 160, next power of 2 points, hann, centred, the ends repeated"
                + " · 13 cepstral coefficients of 80 mel bands (slaney, area 1, of magnitudes), 0 to half the rate"
                + ", not scaled, without c0, with deltas over 4 rows to each side"
                + " · ln, floor 1e-10, reference 2, at most 9 · zscore over the dataset")
        let notes = try FeatureConfiguration(
            audio: AudioConfiguration(), frame: FrameConfiguration(length: .samples(4096), fftLength: 4096),
            transform: .musical(MusicalConfiguration(lowest: .hertz(55), notes: 12, tuning: 442)),
            scale: ScaleConfiguration(kind: .magnitude), normalize: .none)
        #expect(
            ConfigurationLine(configuration: notes).text(.plain).contains(
                " · 12 notes from 55 Hz, 8 points each, A4 at 442 Hz · "))
        let patches = try FeatureConfiguration(
            audio: AudioConfiguration(), frame: FrameConfiguration(), transform: .mel(MelConfiguration()),
            scale: ScaleConfiguration(), normalize: .none,
            patches: PatchesConfiguration(length: 96, hop: 48, rest: .zeros))
        #expect(
            ConfigurationLine(configuration: patches).text(.plain).hasSuffix(
                " · patches of 96 rows every 48, zeros after the samples"))
        let ascii = ReportStyle(width: 80, isColored: false, isUnicode: false)
        #expect(ConfigurationLine(configuration: notes).text(ascii).contains("hann; 12 notes"))
    }

    @Test func `an unknown preset is refused with the nearest`() throws {
        guard case .preset(let named) = try NamedConfiguration.given("log-mel"), named.preset == .logMel else {
            Issue.record("log-mel is no preset")
            return
        }
        let presets = Preset.allCases.map(\.rawValue).joined(separator: ", ")
        for (typed, nearest) in [
            ("logmel", "log-mel' or 'wide-log-mel"),
            ("wisper", "whisper"), ("libroso-mfcc", "librosa-mfcc"), ("kaldi_fbank", "kaldi-fbank"),
            ("htk", "htk-mfcc"), ("HTK-MFCC", "htk-mfcc"), ("kaldi-mcff", "kaldi-mfcc"),
            ("torch-audio-mfcc", "torchaudio-mfcc"),
            ("musical", "musical-spectrum"), ("voice", "cosyvoice"), ("qqqq", nil),
            ("music-spectrum", "musical-spectrum"), ("live-wave", "live-waveform"),
        ] as [(String, String?)] {
            let error = #expect(throws: (any Error).self) { try NamedConfiguration.given(typed) }
            let text = error.map { "\($0)" } ?? ""
            // All names are for a name that is like none.
            let sentence = nearest.map { "Did you mean '\($0)'?" } ?? "There are: \(presets)."
            #expect(text.contains("Unknown preset '\(typed)'. \(sentence) A model's own file"), "\(text)")
        }
    }
}
