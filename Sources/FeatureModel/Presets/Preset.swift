/// A configuration with a name.
public enum Preset: String, CaseIterable, Sendable {
    /// 80 Slaney mel bands at 16 kHz, natural logarithm, normalised over the dataset.
    case logMel = "log-mel"
    /// The power spectrum in decibels at the recording's own rate: what `veery render` and `veery live` draw by default.
    case spectrogram
    /// A DCT-II spectrogram in decibels of unscaled 16-bit samples.
    case scrollingDCT = "scrolling-dct"
    /// The magnitude spectrum of buffers of 512 samples.
    case mixerFFT = "mixer-fft"
    /// A magnitude spectrum at 11,025 Hz on a musical frequency axis.
    case musicalSpectrum = "musical-spectrum"
    /// The lowest 200 bins of buffers of 8192 samples, limited to 100.
    case liveWaveform = "live-waveform"
    /// librosa's `power_to_db(melspectrogram)`.
    case librosaLogMel = "librosa-log-mel"
    /// librosa's `mfcc`.
    case librosaMFCC = "librosa-mfcc"
    /// The logarithm of torchaudio's `MelSpectrogram`.
    case torchaudioLogMel = "torchaudio-log-mel"
    /// torchaudio's `MFCC`.
    case torchaudioMFCC = "torchaudio-mfcc"
    /// Kaldi's `compute-fbank-feats`.
    case kaldiFBank = "kaldi-fbank"
    /// Kaldi's `compute-mfcc-feats`.
    case kaldiMFCC = "kaldi-mfcc"
    /// HTK's `HCopy` to MFCC_0_D_A.
    case htkMFCC = "htk-mfcc"
    /// The input of OpenAI's Whisper.
    case whisper

    /// The preset in a line.
    public var summary: String {
        switch self {
        case .logMel: "80 Slaney mel bands, 25 ms frames every 10 ms at 16 kHz, ln, z-score over the train split"
        case .spectrogram: "FFT power in dB at the recording's own rate, 25 ms Hann frames every 5 ms: for looking at"
        case .scrollingDCT: "DCT-II of 1024 samples every 512, Hann, 16-bit scale, dB: a scrolling DCT spectrogram"
        case .mixerFFT: "FFT magnitude of 512-sample buffers without window or overlap: a mixer's spectrum bars"
        case .musicalSpectrum: "magnitude at 11,025 Hz on 89 notes from C1 to E8, 8 points a note"
        case .liveWaveform: "lowest 200 FFT magnitudes of 8192-sample buffers, limited to 100: a live waveform"
        case .librosaLogMel: "librosa: power_to_db(feature.melspectrogram(y=y, sr=sr)), all defaults"
        case .librosaMFCC: "librosa: feature.mfcc(y=y, sr=sr), all defaults"
        case .torchaudioLogMel: "torchaudio: log of transforms.MelSpectrogram(sr), all defaults, floored at 1e-10"
        case .torchaudioMFCC: "torchaudio: transforms.MFCC(sr), all defaults"
        case .kaldiFBank: "Kaldi: compute-fbank-feats --dither=0, all other defaults, at 16 kHz"
        case .kaldiMFCC: "Kaldi: compute-mfcc-feats --dither=0, all other defaults, at 16 kHz"
        case .htkMFCC: "HTK: HCopy to MFCC_0_D_A, 23 bands, 12 coefficients, power, Hamming, at 16 kHz"
        case .whisper: "OpenAI Whisper: log-mel of 80 bands at 16 kHz (transform.bins=128 for large-v3)"
        }
    }

    /// Differences from the program that the preset reproduces, and other notes; nil: none.
    public var notes: String? {
        switch self {
        case .logMel: nil
        case .spectrogram:
            """
            10 log10 |X[k]|^2 of all bins from 0 Hz to half the rate, +-1 full scale, floored at -100 dB; a sine of full
            scale reaches 20 log10(length / 4). Times become samples at each recording's rate; the transform is the next
            power of two. Frames are centred on multiples of 5 ms, the first at 0 s, and mirrored at both ends.
            The default of veery render and veery live. For a picture, frames and bins stand as close as its pixels, and
            values are shown relative to the maximum.
            """
        case .scrollingDCT:
            """
            The value is 20·log10(|X[k]| / 1024), X the unscaled DCT-II, floored at -80 dB (scale.floor, a power), far
            below what rounding to 16 bits leaves; in the source, silence is minus infinity. Its picture
            is black up to 0 dB and full at 30.1 dB: --range 0:30.1 of veery render, the default with --colors
            false-color.
            First channel only, at the file's own rate, not normalised, whole frames only: all as in the source.
            """
        case .mixerFFT:
            """
            256 bins, |X[k]|/512. The source keeps the Nyquist term in the imaginary part of bin 0, so its bin 0 is
            hypot(DC, Nyquist)/512; here it is |X[0]|/512, and the Nyquist term is left out.
            Channels are mixed; the source gives each track a spectrum of its own (use audio.channels or a manifest's
            channel column). At the file's own rate, not normalised.
            """
        case .musicalSpectrum:
            """
            Channels are mixed and resampled to 11,025 Hz; 4096 samples every 1102, Hann; |X| unscaled, +-1 full scale.
            712 points (muSpectrum): C1 to E8, 8 a note, by a parabola through the three bins around each point. It can
            overshoot: beside a sharp peak a point may be below 0, as in the source. Below about 370 Hz neighbouring
            points lie within one bin of 2.69 Hz; a warning says so.
            --set transform.kind=fft gives the 2048 bins that the points are read from (spectrum).
            """
        case .liveWaveform:
            """
            |X[k]| unscaled, k = 0 ... 199, +-1 full scale, nothing above 100. --set transform.step=8 gives the 25 points
            that the source draws. First channel only, as in the source; whole buffers only: what is left at the end is
            dropped.
            """
        case .librosaLogMel, .librosaMFCC:
            """
            At the file's own rate (librosa.load would resample to 22,050 Hz: set audio.sample_rate=22050 for that).
            Values more than 80 dB below the clip's maximum are raised to that level, so a clip's values depend on all of it.
            """
        case .torchaudioLogMel, .torchaudioMFCC:
            """
            At the file's own rate. Channels are mixed; torchaudio would treat each by itself. A clip of 200 samples or
            less, which torchaudio refuses, is mirrored as often as it takes. In torchaudio-mfcc band powers more than 80 dB
            below the clip's maximum are raised to that level, so a clip's values depend on all of it.
            """
        case .kaldiFBank, .kaldiMFCC:
            """
            Whole frames only, as with --snip-edges=true; --set frame.align=kaldi is --snip-edges=false.
            First channel, samples from -32768 to 32767. Dither would make every run different, so there is none.
            """
        case .htkMFCC:
            """
            Columns are c1 ... c12, c0, their deltas, their accelerations: 39. PREEMCOEF 0, CEPLIFTER 22, ENORMALISE F,
            USEPOWER T. First channel, samples from -32768 to 32767.
            """
        case .whisper:
            """
            The value is (max(log10(max(p, 1e-10)), maximum - 8) + 4) / 4, "maximum" that of the whole clip.
            Not padded to 30 s unless audio.duration=30 is set, which Whisper's encoder needs.
            """
        }
    }

    /// The transform for a user who asks this preset for another kind; nil: the defaults of that kind.
    ///
    /// `musical-spectrum` has a second array: the 2048 bins that its points are read from.
    public func transform(of kind: TransformConfiguration.Kind) -> TransformConfiguration? {
        self == .musicalSpectrum && kind == .fft ? .fft(bins: 2048) : nil
    }
}

extension Preset {
    /// The presets that an unknown name may mean: names that contain it or are part of it, else the nearest.
    package static func likely(_ name: String) -> [String] {
        let names = allCases.map(\.rawValue)
        guard name.utf8.count <= 100 else { return [] }
        let typed = String(name.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
        if names.contains(typed) { return [typed] }
        let parts = typed.count < 3 ? [] : names.filter { $0.contains(typed) || typed.contains($0) }
        if !parts.isEmpty { return parts }
        return nearestName(to: typed, in: names).map { [$0] } ?? []
    }

    /// `Did you mean 'a' or 'b'?`, or nothing.
    package static func question(about name: String) -> String {
        let likely = likely(name).map { "'\($0)'" }
        return likely.isEmpty ? "" : "did you mean \(likely.joined(separator: " or "))?"
    }
}
