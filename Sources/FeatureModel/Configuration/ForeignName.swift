/// What other programs call a key or a value of a configuration: the one table of such names.
///
/// librosa, torchaudio, Kaldi, HTK, lhotse, ESPnet, SciPy and MATLAB, in lower case with underscores; `snip-edges` and
/// `SNIP_EDGES` match, too.
package enum ForeignName {
    /// The keys here for what other programs call `name`, empty where there is no counterpart, and a note; nil: an unknown
    /// name.
    static func key(_ name: String) -> (ours: [String], note: String)? {
        let name = normalized(name)
        return keys.first { has($0.names, name) }.map { ($0.ours.isEmpty ? [] : [$0.ours], $0.note) }
    }

    /// The value among `choices` that other programs call `name`; nil: there is none.
    static func value(_ name: String, among choices: [String]) -> String? {
        let name = normalized(name)
        return values.first { has($0.names, name) && choices.contains($0.ours) }?.ours
    }

    private static func has(_ names: String, _ name: String) -> Bool {
        names.split(separator: " ").contains { $0 == name }
    }

    private static func normalized(_ name: String) -> String {
        String(name.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
    }

    private static let keys: [(names: String, ours: String, note: String)] = [
        (
            "sr fs rate samplerate sampling_rate sample_frequency target_sr sample_freq source_rate",
            "audio.sample_rate", ""
        ),
        ("mono channel num_channels", "audio.channels", "mix, first, all or a number"),
        ("max_length max_duration pad_to chunk_length clip_duration max_len", "audio.duration", "in s"),
        (
            "win_length window_length frame_length frame_size win_len window_size windowsize win_size nperseg "
                + "framelength winlen", "frame.length", "in samples, or as a time such as '25 ms'"
        ),
        (
            "hop_length hop_size frame_shift frame_step win_shift target_rate targetrate step_size stride "
                + "frame_period winstep hop_len shift noverlap overlap",
            "frame.hop", "from a frame to the next, in samples or as a time such as '10 ms'"
        ),
        ("n_fft nfft fft_size fft_len fftlength fft_points points round_to_power_of_two", "frame.fft_length", ""),
        ("window_type window_fn win_type winfunc window_function usehamming", "frame.window", ""),
        ("periodic sym", "frame.symmetric", "periodic is false"),
        ("center centered centre", "frame.align", "center, or start for false"),
        ("snip_edges", "frame.align", "start for true, kaldi for false"),
        ("pad_mode padding padding_mode", "frame.pad", ""),
        (
            "remove_dc_offset zmeansource dc_offset zero_mean",
            "frame.remove_dc", "of each frame; condition.remove_dc is for the whole clip"
        ),
        (
            "preemph preemphasis preemph_coeff preemphasis_coefficient preemcoef pre_emph preemphasis_coeff "
                + "pre_emphasis_coeff",
            "frame.pre_emphasis", "of each frame; condition.pre_emphasis is for the whole clip"
        ),
        (
            "n_mels num_mel_bins num_filters n_filters n_filter num_mels n_bands num_bands numchans nfilt n_mel "
                + "num_bins n_bins mel_bins feature_dim n_mel_channels feature_size",
            "transform.bins", "with kind mfcc or lfcc, transform.bands"
        ),
        (
            "n_mfcc num_ceps numceps n_lfcc numcep n_ceps num_cepstra coefficients n_coeffs",
            "transform.bins", "with kind mfcc or lfcc"
        ),
        (
            "fmin f_min low_freq lofreq lowfreq low_frequency min_freq freq_min lower_frequency",
            "transform.low", "in Hz"
        ),
        (
            "fmax f_max high_freq hifreq highfreq high_frequency max_freq freq_max upper_frequency",
            "transform.high", "in Hz; null or half: half the sample rate"
        ),
        ("htk mel_formula htk_mel", "transform.mel_scale", "htk or slaney"),
        (
            "norm mel_filter_norm filter_norm area_norm",
            "transform.mel_norm", "slaney or none; of cepstra transform.dct_norm, of a DCT transform.norm"
        ),
        ("dct_type", "transform.type", "with kind dct; the DCT of cepstra is of type 2"),
        ("lifter_coef cepstral_lifter ceplifter cep_lifter", "transform.lifter", "with kind mfcc or lfcc"),
        ("use_energy raw_energy append_energy appendenergy", "transform.c0", "energy, with kind mfcc or lfcc"),
        ("usepower use_power use_fft_mag", "transform.spectrum", "power or magnitude"),
        ("delta_order add_deltas n_deltas", "transform.deltas", "0, 1 or 2"),
        ("deltawindow accwindow delta_win delta_width", "transform.delta_window", "rows to each side"),
        ("log log_mels use_log_fbank use_log log_base log_input to_db logarithm", "scale.kind", "ln, log10 or db"),
        (
            "amin energy_floor mel_floor log_floor eps_floor clip_val log_offset",
            "scale.floor", "the smallest power that a logarithm sees"
        ),
        ("ref ref_value ref_db", "scale.reference", "a number"),
        ("dynamic_range db_range", "scale.top_db", "in dB"),
        ("gain_db multiplier", "scale.factor", ""),
        (
            "normalization normalisation cmvn normalized enormalise apply_cmvn norm_vars norm_means standardize",
            "normalize.scope", "none, clip or dataset, with normalize.method"
        ),
        ("split fit_split train_split", "normalize.fit", "the name of a split"),
        ("dtype precision data_type", "store.type", "float32 or float16"),
        ("format", "store.layout", "packed or fixed"),
        (
            "bandpass band_pass lowpass highpass bandstop band_stop",
            "condition.dct_filter", "a mapping with mode, low and high"
        ),
        (
            "preset base inherit inherits extend include defaults",
            "extends", "at the top of a file; on the command line, --preset NAME"
        ),
        ("dither", "", "noise is never added, so that every run gives the same values"),
        ("vtln_warp vtln_low vtln_high warp warp_freq", "", "there is no vocal tract normalisation"),
        ("device num_workers num_jobs n_jobs num_threads", "", "the number of threads is --jobs"),
    ]

    private static let values: [(names: String, ours: String)] = [
        ("hanning von_hann hannwindow hann_window periodic_hann", "hann"), ("hammingwindow hamming_window", "hamming"),
        ("boxcar rect ones none uniform dirichlet rectwin box", "rectangular"),
        ("blackmanharris blackman_harris_4 blackmann_harris", "blackman_harris"), ("flattop flattopwin", "flat_top"),
        ("triang triangular triangle fejer", "bartlett"), ("gauss gausswin normal", "gaussian"),
        ("kaiser_bessel", "kaiser"), ("tukeywin cosine_taper", "tukey"), ("constant zeros empty", "zero"),
        ("replicate nearest", "edge"), ("symmetric mirror", "reflect"), ("center centre centered middle", "center"),
        ("left snip_edges", "start"), ("mono mean average downmix all", "mix"), ("left ch0 channel_0", "first"),
        ("int16 pcm pcm_16 s16 short int", "int16"), ("float float32 normalized one", "unit"),
        ("stft spectrogram spectrum rfft dft", "fft"),
        ("fbank melspectrogram mel_spectrogram melspec log_mel logmel filterbank mels", "mel"),
        ("mfccs mfcc_0 cepstrum cepstra cepstral", "mfcc"), ("cqt chroma constant_q notes", "musical"),
        ("log loge natural natural_log log_e", "ln"), ("log_10", "log10"),
        ("decibel decibels power_to_db amplitude_to_db log10_db", "db"), ("amplitude abs mag", "magnitude"),
        ("energy squared power_spectrum", "power"), ("kaldi htk_mel", "htk"), ("hertz hz", "hertz"), ("area", "slaney"),
        ("peak null false", "none"), ("orthonormal orthogonal", "ortho"),
        ("standard standardize standardise z_score mean_std mean_var cmvn meanstd std", "zscore"),
        ("min_max 0_1 unit_range", "minmax"), ("cmn mean_norm center centre", "mean"),
        ("utterance per_utterance file sample instance per_clip recording", "clip"),
        ("global corpus all train", "dataset"), ("off no false", "none"),
        ("bins per_bin channel feature band frequency", "bin"), ("ragged variable concatenated", "packed"),
        ("padded dense pad", "fixed"), ("f32 float single fp32", "float32"), ("f16 half fp16", "float16"),
        ("gzip zlib gz zip lzf zstd", "deflate"),
    ]
}
