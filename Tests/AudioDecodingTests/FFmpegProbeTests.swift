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

    @Test func `the length that the container states for the sound, or none where it is an estimate`() throws {
        func promised(_ codec: String, _ container: String, _ rest: String = "") throws -> Double? {
            try #require(try FFmpegProbe(text: Self.text(codec, container, rest))).promised
        }
        #expect(try promised("pcm_s16le", "avi") == 2.5)
        #expect(try promised("mp3", "avi") == 2.514785)
        #expect(try promised("aac", "mov,mp4,m4a,3gp,3g2,mj2") == 2.514785)
        let tag = "streams.stream.0.tags.DURATION=\"00:00:02.400000000\""
        #expect(try promised("opus", "matroska,webm", tag) == 2.4)
        #expect(try promised("aac", "aac") == nil)
        let none = Self.text("pcm_s16le", "avi").replacing("55125", with: "N/A")
        #expect(try FFmpegProbe(text: none)?.promised == nil)
    }

    @Test func `a stream without a codec is not sound, and a rate must be one`() throws {
        let probe = try FFmpegProbe(text: "format.nb_streams=1")
        #expect(probe == nil)
        #expect(throws: (any Error).self) {
            try FFmpegProbe(text: Self.text("aac", "aac").replacing("22050", with: "0"))
        }
    }
}
