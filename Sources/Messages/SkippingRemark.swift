/// That recordings whose decoders cannot seek were decoded for a long time before clips of them.
package enum SkippingRemark {
    /// A line for a person.
    package static let text =
        "remark: an hour of sound was decoded only to reach clips, because MP3s and what ffmpeg reads, unlike FLACs, are decoded "
        + "from their start; convert them, such as by ffmpeg -i in.mp3 out.flac"
}
