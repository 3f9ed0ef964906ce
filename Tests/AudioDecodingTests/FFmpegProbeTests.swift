import Testing

@testable import AudioDecoding

struct FFmpegProbeTests {
    private static func text(_ codec: String, _ container: String, _ rest: String = "") -> String {
        """
        streams.stream.0.codec_name="\(codec)"
        streams.stream.0.sample_rate="22050"
        streams.stream.0.channels=2
        streams.stream.0.duration="2.514785"
        streams.stream.0.nb_frames="55125"
        \(rest)
        format.nb_streams=1
        format.format_name="\(container)"
        format.duration="2.514785"
        """
    }

    @Test func `the promised length is what the container states, and nil where that is an estimate`() throws {
        func promised(_ codec: String, _ container: String, _ rest: String = "") throws -> Double? {
            try #require(try FFmpegProbe(text: Self.text(codec, container, rest))).promised
        }
        #expect(try promised("pcm_s16le", "avi") == 2.5)
        #expect(try promised("mp3", "avi") == 2.514785)
        #expect(try promised("aac", "mov,mp4,m4a,3gp,3g2,mj2") == 2.514785)
        let tag = "streams.stream.0.tags.DURATION=\"00:00:02.400000000\""
        #expect(try promised("opus", "matroska,webm", tag) == 2.4)
        #expect(try promised("aac", "aac") == nil)
        #expect(try promised("shorten", "nistsphere") == 2.514785)
        let none = Self.text("pcm_s16le", "avi").replacing("55125", with: "N/A")
        #expect(try FFmpegProbe(text: none)?.promised == nil)
    }

    @Test func `a stream without a codec is not audio, and a sample rate of 0 is an error`() throws {
        let probe = try FFmpegProbe(text: "format.nb_streams=1")
        #expect(probe == nil)
        #expect(throws: (any Error).self) {
            try FFmpegProbe(text: Self.text("aac", "aac").replacing("22050", with: "0"))
        }
    }
}
