/// A configuration with a name.
public enum Preset: String, CaseIterable, Sendable {
    /// 80 Slaney mel bands at 16 kHz, natural logarithm, normalised over the dataset.
    case logMel = "log-mel"
    /// The power spectrum in decibels at the recording's own rate: what `veery render` and `veery live` draw by default.
    case spectrogram
    /// Any sound at the recording's own rate: 128 Slaney mel bands up to half of it, in decibels.
    case wideLogMel = "wide-log-mel"

    /// The input of OpenAI's Whisper.
    case whisper
    /// The input of Mistral's Voxtral Realtime: Whisper's 128 bands with a fixed maximum.
    case voxtral
    /// The input of Alibaba's Qwen3-ASR.
    case qwen3ASR = "qwen3-asr"
    /// The input of NVIDIA's Parakeet and of other models of NeMo.
    case parakeet
    /// The input of Google's LASR.
    case lasr
    /// The input of Meta's SeamlessM4T.
    case seamless
    /// The input of the audio encoder of Google's Gemma 3n.
    case gemma3n
    /// The input of wav2vec 2.0 and its relatives.
    case wav2vec2
    /// The input of Moonshine.
    case moonshine
    /// The input of Meta's EnCodec at 24 kHz.
    case encodec
    /// The input of SpeechT5's decoder.
    case speechT5 = "speecht5"
    /// The input of Microsoft's Phi-4 multimodal.
    case phi4
    /// The input of IBM's Granite Speech.
    case graniteSpeech = "granite-speech"
    /// The input of CLVP, of Tortoise TTS.
    case clvp
    /// The input of FunASR's Paraformer and SenseVoice, before the constants of a model.
    case paraformer
    /// The input of WeSpeaker's and pyannote's speaker embedding.
    case wespeaker
    /// The input of CAM++ and ERes2Net of 3D-Speaker.
    case threeDSpeaker = "3d-speaker"
    /// The input of SpeechBrain's ECAPA-TDNN.
    case ecapa
    /// The input of ReDimNet.
    case reDimNet = "redimnet"
    /// The input of Resemblyzer.
    case resemblyzer
    /// The input of openWakeWord and of Google's speech embedding.
    case openWakeWord = "openwakeword"
    /// The input of HiFi-GAN and BigVGAN at 22,050 Hz.
    case hifiGAN22k = "hifi-gan-22k"
    /// The input of BigVGAN at 24 kHz.
    case bigVGAN24k = "bigvgan-24k"
    /// The input of BigVGAN at 44.1 kHz.
    case bigVGAN44k = "bigvgan-44k"
    /// The input of the flow of CosyVoice 2 and 3.
    case cosyVoice = "cosyvoice"
    /// The input of Vocos at 24 kHz.
    case vocos
    /// The input of F5-TTS with Vocos.
    case f5TTS = "f5-tts"
    /// The input of StyleTTS 2.
    case styleTTS2 = "styletts2"
    /// The input of the Audio Spectrogram Transformer trained on AudioSet.
    case ast
    /// The input of the Audio Spectrogram Transformer trained on Speech Commands.
    case astSpeechCommands = "ast-speech-commands"
    /// The input of AudioMAE.
    case audioMAE = "audiomae"
    /// The input of EAT, trained on AudioSet.
    case eat
    /// The input of BEATs.
    case beats
    /// The input of Google's VGGish.
    case vggish
    /// The input of Google's YAMNet.
    case yamnet
    /// The input of CNN14 of PANNs at 32 kHz.
    case pannsCNN14 = "panns-cnn14"
    /// The input of PaSST and EfficientAT.
    case passt
    /// The input of M2D at 16 kHz.
    case m2d
    /// The input of Dasheng and CED.
    case dasheng
    /// The input of LAION's CLAP without fusion.
    case clap
    /// The input of Microsoft's CLAP of 2022.
    case msCLAP2022 = "ms-clap-2022"
    /// The input of Microsoft's CLAP of 2023.
    case msCLAP2023 = "ms-clap-2023"
    /// The input of OpenL3 with 256 bands.
    case openL3 = "openl3"
    /// The lower of the two spectrograms of BirdNET V2.4.
    case birdnetLow = "birdnet-low"
    /// The upper of the two spectrograms of BirdNET V2.4.
    case birdnetHigh = "birdnet-high"
    /// The input of Google's Perch, version 1.
    case perch1 = "perch-1"
    /// The input of Google's Perch, version 2.
    case perch2 = "perch-2"
    /// The input of Bird-MAE.
    case birdMAE = "bird-mae"
    /// The input of BirdSet's ConvNeXt.
    case birdSetConvNeXt = "birdset-convnext"
    /// The input of BirdSet's EfficientNet.
    case birdSetEfficientNet = "birdset-efficientnet"
    /// The input of AVEX's EfficientNet.
    case avexEffNet = "avex-effnet"
    /// The picture of BatDetect2, before it is resized.
    case batDetect2 = "batdetect2"
    /// The input of MusicFM and MuQ.
    case musicFM = "musicfm"
    /// The input of MT3.
    case mt3
    /// The input of musicnn.
    case musicnn

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
    /// ESPnet's `DefaultFrontend`.
    case espnet
    /// The features of icefall's recipes.
    case icefall
    /// lhotse's `Fbank`.
    case lhotseFBank = "lhotse-fbank"
    /// SpeechBrain's `Fbank`.
    case speechbrainFBank = "speechbrain-fbank"

    /// A DCT-II spectrogram in decibels of unscaled 16-bit samples.
    case scrollingDCT = "scrolling-dct"
    /// The magnitude spectrum of buffers of 512 samples.
    case mixerFFT = "mixer-fft"
    /// A magnitude spectrum at 11,025 Hz on a musical frequency axis.
    case musicalSpectrum = "musical-spectrum"
    /// The lowest 200 bins of buffers of 8192 samples, limited to 100.
    case liveWaveform = "live-waveform"

    /// What the preset has in common with others.
    public var group: PresetGroup { entry.group }

    /// The preset in a line.
    public var summary: String { entry.summary }

    /// Differences from the program that the preset reproduces, what is assumed, and other notes; nil: none.
    public var notes: String? { entry.notes?.text { _, value in value ?? "" } }

    /// The same, for an edge that has names for settings.
    package var note: Note? { entry.notes }

    /// Where the numbers are written: a program with its version, file and lines, or a page of this documentation.
    public var source: String { entry.source }

    /// The rate in Hz that the preset's samples are meant for: its own, or the one that the program reads by default, 44.1 kHz for
    /// presets that use the rate of the sound card.
    public var usualRate: Double { (try? definition())?.audio.sampleRate.map(Double.init) ?? entry.usualRate }

    /// The length in seconds of the windows that the model takes one at a time, where the preset does not cut clips and the features of a
    /// window are not rows of those of a longer clip; nil: clips may have any length, or are cut.
    public var window: Double? { entry.window }

    /// The configuration; frames defined by times have them in samples, at the preset's sample rate.
    ///
    /// - Throws: Never in practice; a test holds every preset to be valid.
    public func configuration() throws(ConfigurationError) -> FeatureConfiguration {
        try definition().with()
    }

    /// The configuration as printed and changed: with times, and edges of half the rate, where the program that it reproduces
    /// defines them so. At another sample rate they follow that.
    ///
    /// - Throws: Never in practice, as `configuration()`.
    package func definition() throws(ConfigurationError) -> FeatureConfiguration { try entry.definition() }

    /// The transform for a user who asks this preset for another kind; nil: the defaults of that kind.
    ///
    /// `musical-spectrum` has a second array: the 2048 bins that its points are read from.
    public func transform(of kind: TransformConfiguration.Kind) -> TransformConfiguration? { entry.variants[kind] }
}

extension Preset {
    /// The presets that an unknown name may mean: by the table of known names, names that contain it or are part of it, else the nearest.
    package static func likely(_ name: String) -> [String] {
        let names = allCases.map(\.rawValue)
        guard name.utf8.count <= 100 else { return [] }
        let typed = typed(name)
        if names.contains(typed) { return [typed] }
        if let meaning = ModelNames.meaning(of: typed) { return meaning.names }
        let parts = typed.count < 3 ? [] : names.filter { $0.contains(typed) || typed.contains(word: $0) }
        if !parts.isEmpty { return parts }
        // Few letters are near to many names: clip is not clap.
        return typed.count < 5 ? [] : nearestName(to: typed, in: names, share: 5).map { [$0] } ?? []
    }

    /// A name as the tables have it.
    private static func typed(_ name: String) -> String {
        String(name.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
    }

    /// `did you mean 'a' or 'b' (since …)?`, or nothing.
    package static func question(about name: String) -> String {
        let likely = likely(name).map { "'\($0)'" }
        guard !likely.isEmpty else { return "" }
        let reason = name.utf8.count > 100 ? "" : ModelNames.meaning(of: typed(name))?.reason ?? ""
        return "did you mean \(likely.joined(separator: " or "))\(reason.isEmpty ? "" : " (\(reason))")?"
    }

    /// The question about an unknown name or, where no preset is like it, `there are: …` with all names.
    package static func alternatives(to name: String) -> String {
        let question = question(about: name)
        return question.isEmpty ? "there are: \(allCases.map(\.rawValue).joined(separator: ", "))" : question
    }
}

extension String {
    /// Whether a word is in it that no letter precedes or follows: `ast` is in `mit/ast-10-10`, and not in `fastpitch`.
    fileprivate func contains(word: String) -> Bool {
        ranges(of: word).contains { range in
            let before = range.lowerBound == startIndex ? nil : self[index(before: range.lowerBound)]
            let after = range.upperBound == endIndex ? nil : self[range.upperBound]
            return before?.isLetter != true && after?.isLetter != true
        }
    }
}

/// What presets have in common, for lists.
public enum PresetGroup: String, CaseIterable, Sendable {
    /// What Veery computes unless a configuration says otherwise.
    case defaults
    /// The input of a model, as its authors trained it.
    case models
    /// The features of a library or toolkit.
    case libraries
    /// The analyses of real-time audio programs.
    case referenceSystems = "reference systems"

    /// The heading of the group in a list.
    public var title: String {
        switch self {
        case .defaults: "Defaults of Veery"
        case .models: "Models"
        case .libraries: "Libraries and toolkits"
        case .referenceSystems: "Reference systems"
        }
    }
}

extension Preset {
    /// A warning where a changed sample rate changes the duration of frames that are defined in samples: both durations, and
    /// how to keep the first; nil: rate or frames are unchanged, or the preset is that of a model, whose numbers must not change.
    ///
    /// - Parameters:
    ///   - configuration: The preset, changed.
    ///   - sampleRate: The rate of the samples that are analysed, in Hz.
    package func rateWarning(for configuration: FeatureConfiguration, sampleRate: Double) throws -> Note? {
        let own = try definition()
        let frame = configuration.frame
        guard group != .models, configuration.audio.sampleRate != own.audio.sampleRate, sampleRate != usualRate,
            sampleRate > 0,
            case .samples(let length) = own.frame.length, case .samples(let hop) = own.frame.hop,
            frame.length == own.frame.length || frame.hop == own.frame.hop
        else { return nil }
        func time(_ samples: Int, _ rate: Double) -> String {
            "\(((Double(samples) / rate * 1e5).rounded() / 100).shortText) ms"
        }
        var now: [String] = []
        var then: [String] = []
        var settings: Note = ""
        for (key, words, samples, isKept) in [
            ("length", "frames of \(length) samples last", length, frame.length == own.frame.length),
            ("hop", "hops of \(hop) samples last", hop, frame.hop == own.frame.hop),
        ] where isKept {
            now.append("\(now.isEmpty ? words : words.replacing(" last", with: "")) \(time(samples, sampleRate))")
            then.append(time(samples, usualRate))
            settings += " \(setting: .key, "frame.\(key)='\(time(samples, usualRate))'")"
        }
        if frame.length == own.frame.length, frame.fftLength == own.frame.fftLength {
            settings += " \(setting: .key, "frame.fft_length=next_power_of_two")"
        }
        return
            "\(rawValue): \(now.joined(separator: ", ")) at \(sampleRate.shortText) Hz, not \(then.joined(separator: " and ")) "
            + "as at \(usualRate.shortText) Hz; to keep the times:\(settings)"
    }
}
