import Foundation
import TestSupport
import Testing

@testable import FeatureModel

struct ForeignNameTests {
    @Test func `every line of the table is read, and names keys and values that there are`() throws {
        let file = Fixtures.repository.appending(path: "Sources/FeatureModel/Resources/foreign-names.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(ForeignName.rows.map { "\($0.ours)\t\($0.names)\t\($0.note)" } == lines.map(String.init))
        let sections = ConfigurationKeys.sections
        let keys = sections.flatMap { section in section.variants.flatMap(\.keys).map { "\(section.path).\($0.name)" } }
        func names(_ form: ValueForm) -> [String] {
            switch form {
            case .names(let names): names
            case .either(let forms): forms.flatMap(names)
            default: []
            }
        }
        let values = sections.flatMap(\.kinds) + sections.flatMap(\.variants).flatMap(\.keys).flatMap { names($0.form) }
        for row in ForeignName.rows where row.ours.hasPrefix("=") {
            #expect(values.contains(String(row.ours.dropFirst())) && row.note.isEmpty, "\(row)")
        }
        for row in ForeignName.rows where !row.ours.hasPrefix("=") {
            #expect(["", "extends", "condition.dct_filter"].contains(row.ours) || keys.contains(row.ours), "\(row)")
        }
    }

    @Test(arguments: [
        ("n_mels", "transform.bins"), ("num_mel_bins", "transform.bins"), ("NUMCHANS", "transform.bins"),
        ("num-filters", "transform.bins"), ("n_mfcc", "transform.bins"), ("num_ceps", "transform.bins"),
        ("fmin", "transform.low"), ("f_min", "transform.low"), ("low_freq", "transform.low"),
        ("LOFREQ", "transform.low"),
        ("fmax", "transform.high"), ("f_max", "transform.high"), ("high_freq", "transform.high"),
        ("n_fft", "frame.fft_length"), ("sr", "audio.sample_rate"), ("sample_frequency", "audio.sample_rate"),
        ("sampling_rate", "audio.sample_rate"), ("win_length", "frame.length"), ("frame_length", "frame.length"),
        ("WINDOWSIZE", "frame.length"), ("hop_length", "frame.hop"), ("frame_shift", "frame.hop"),
        ("frame-shift", "frame.hop"), ("TARGETRATE", "frame.hop"), ("use_energy", "transform.c0"),
        ("snip_edges", "frame.align"), ("center", "frame.align"), ("pad_mode", "frame.pad"),
        ("preemph", "frame.pre_emphasis"), ("PREEMCOEF", "frame.pre_emphasis"),
        ("preemphasis_coefficient", "frame.pre_emphasis"), ("window_type", "frame.window"),
        ("USEHAMMING", "frame.window"), ("USEPOWER", "transform.spectrum"), ("htk", "transform.mel_scale"),
        ("norm", "transform.norm"), ("CEPLIFTER", "transform.lifter"), ("cepstral_lifter", "transform.lifter"),
        ("ref", "scale.reference"), ("amin", "scale.floor"), ("log", "scale.kind"), ("dtype", "store.type"),
        ("remove_dc_offset", "frame.remove_dc"), ("mono", "audio.channels"),
    ])
    func `the error for a key of another program names ours, in whatever section it is`(name: String, ours: String)
        throws
    {
        for json in [#"{"\#(name)":1}"#, #"{"audio":{"\#(name)":1}}"#, #"{"store":{"\#(name)":1}}"#] {
            let message = try #require(refusal(json), "\(json) was accepted").description
            #expect(
                message.contains("\(name) is ") && message.contains(ours) && message.contains(" here"), "\(message)")
        }
    }

    @Test(arguments: [
        (#"{"hop":160}"#, "hop is frame.hop or patches.hop here"), (#"{"bins":40}"#, "bins is transform.bins here"),
        (#"{"frame":{"sample_rate":8000}}"#, "sample_rate is audio.sample_rate here"),
        (#"{"frame":{"kind":"mel"}}"#, "kind is transform.kind or scale.kind here"),
        (#"{"audio":{"top_db":80}}"#, "top_db is scale.top_db here"),
        (#"{"transform":{"floor":1}}"#, "floor is scale.floor here"),
        (#"{"frame.hop":160}"#, "hop is frame: {hop: …} here"),
        (#"{"transform":{"hann":1}}"#, "hann is frame.window=hann here"),
        (#"{"mfcc":13}"#, "mfcc is transform.kind=mfcc here"), (#"{"preset":"log-mel"}"#, "preset is extends here"),
        (#"{"transform":{"bands":40}}"#, "(bands: kind mfcc, lfcc)"),
        (#"{"hopp":160}"#, "did you mean 'frame.hop'?"), (#"{"audio":{"fft_lenght":1}}"#, "'frame.fft_length'?"),
    ])
    func `the error for a key in the wrong section, or none, says where it belongs`(json: String, words: String) throws
    {
        let message = try #require(refusal(json), "\(json) was accepted").description
        #expect(message.contains(words), "\(message)")
    }

    @Test func `the error for a key of what Veery does not do says so`() throws {
        #expect(
            refusal(#"{"frame":{"dither":0}}"#)?.description
                == "unknown configuration key 'frame.dither': noise is never added, so that every run gives the same values"
        )
    }

    @Test(arguments: [
        (#"{"frame":{"window":"hanning"}}"#, "'hanning', which is hann here"),
        (#"{"frame":{"window":"boxcar"}}"#, "which is rectangular here"),
        (#"{"frame":{"window":"blackmanharris"}}"#, "which is blackman_harris here"),
        (#"{"frame":{"window":"Hamming"}}"#, "did you mean 'hamming'?"),
        (#"{"frame":{"window":{"kind":"hanning"}}}"#, "which is hann here"),
        (#"{"scale":{"kind":"log"}}"#, "'log', which is ln here"),
        (#"{"scale":{"kind":"dB"}}"#, "did you mean 'db'?"),
        (#"{"transform":{"kind":"fbank"}}"#, "which is mel here"),
        (#"{"transform":{"kind":"stft"}}"#, "is fft here"),
        (#"{"frame":{"pad":"constant"}}"#, "which is zero here"), (#"{"audio":{"scale":"float"}}"#, "is unit here"),
        (#"{"normalize":{"method":"standard"}}"#, "is zscore here"),
        (#"{"normalize":{"scope":"utterance"}}"#, "is clip here"),
        (#"{"store":{"type":"half"}}"#, "is float16 here"),
        (#"{"store":{"compression":"gzip"}}"#, "which is deflate here"),
    ])
    func `the error for a value of another program, or an almost right one, names ours`(json: String, words: String)
        throws
    {
        let message = try #require(refusal(json), "\(json) was accepted").description
        #expect(message.contains(words), "\(message)")
        #expect(message.contains("one of "), "\(message)")
    }

    @Test func `rates, frequencies and times are read with their units where they are meant`() throws {
        for text in ["16000", "16 kHz", "16k", "16K", "16000 Hz", "16kHz"] {
            #expect(try configuration(#"{"audio":{"sample_rate":"\#(text)"}}"#).audio.sampleRate == 16_000, "\(text)")
        }
        #expect(
            try configuration(#"{"audio":{"sample_rate":"44.1k"},"transform":{"high":"20k"}}"#).audio.sampleRate
                == 44_100)
        for text in ["3s", "3 s", "3000 ms"] {
            #expect(try configuration(#"{"audio":{"duration":"\#(text)"}}"#).audio.duration == 3, "\(text)")
        }
        let bank = try configuration(#"{"transform":{"low":"300 Hz","high":"3.4 kHz"}}"#).transform.bank
        #expect(bank?.low == 300 && bank?.high == 3400)
        let pcen = try configuration(#"{"scale":{"kind":"pcen","time_constant":"250 ms"}}"#).scale.pcen
        #expect(pcen?.timeConstant == 0.25)
        let notes = try configuration(
            #"{"audio":{"sample_rate":11025},"frame":{"length":4096,"hop":512},"#
                + #""transform":{"kind":"musical","notes":60,"lowest":"55 Hz","tuning":"442 Hz"},"scale":{"kind":"db"}}"#
        ).transform
        guard case .musical(let musical) = notes.method else { return #expect(Bool(false)) }
        #expect(musical.lowest == .hertz(55) && musical.tuning == 442)
        for json in [
            #"{"audio":{"sample_rate":"16.0005 kHz"}}"#, #"{"audio":{"sample_rate":"20 bins"}}"#,
            #"{"audio":{"duration":"3"}}"#, #"{"transform":{"low":"-5 Hz"}}"#, #"{"transform":{"high":"0 Hz"}}"#,
        ] {
            #expect(refusal(json) != nil, "\(json)")
        }
    }

    @Test func `an error repeats only the start of a long text, quickly`() throws {
        let text = String(repeating: "ab", count: 200_000)
        for json in [
            #"{"\#(text)":1}"#, #"{"frame":{"\#(text)":1}}"#, #"{"frame":{"window":"\#(text)"}}"#,
            #"{"scale":{"kind":"\#(text)"}}"#, #"{"audio":{"sample_rate":"\#(text)"}}"#, #"{"frame":"\#(text)"}"#,
        ] {
            let message = try #require(refusal(json), "it was accepted").description
            #expect(message.count < 600 && message.contains("(40000"), "\(message.prefix(300))")
        }
    }
}
