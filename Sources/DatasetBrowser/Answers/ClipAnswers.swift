import FeatureModel
import PageRequests

/// One clip: what is known of it, its pictures and its sound.
enum ClipAnswers {
    /// What is known of a clip.
    struct Details: Sendable {
        let clip: BrowsedClip
        /// Its recording, or why there is none.
        let sound: Result<ClipSound, Refusal>
        /// Nil: not known, as of a very long clip.
        let level: SoundLevel?
        /// What is to be known of the recording; empty: nothing.
        let warning: String
        /// Seconds from the clip's start.
        let frameLabels, annotations: [Annotation]
    }

    static func details(_ details: Details, _ facts: DatasetFacts) -> PageResponse {
        let (clip, sound) = (details.clip, try? details.sound.get())
        return .json { json in
            json.member("number", clip.number)
            json.member("id", clip.clip.id)
            json.member("path", clip.clip.path)
            json.member("labels", clip.labels)
            json.member("split", clip.split)
            json.member("start", clip.start)
            json.member("duration", optional: clip.duration ?? sound?.duration)
            json.member("frames", optional: clip.frames)
            json.member("sampleRate", optional: sound?.sampleRate ?? clip.sampleRate)
            json.member("channels", optional: sound?.channels ?? clip.channels)
            json.key("columns")
            json.object { json in
                for (name, value) in zip(facts.columns, clip.clip.extra) { json.member(name, value) }
            }
            json.key("failure")
            if let failure = clip.failure { json.failure(failure) } else { json.raw("null") }
            json.member("peak", optional: details.level?.peak)
            json.member("rms", optional: details.level?.rms)
            json.member("frameLabels", of: details.frameLabels) { $0.annotation($1) }
            json.member("annotations", of: details.annotations) { $0.annotation($1) }
            json.key("recording")
            json.object { json in
                json.member("found", sound != nil)
                json.member("duration", optional: sound?.recordingDuration)
                var message = details.warning
                if case .failure(let refusal) = details.sound { message = refusal.sentence }
                json.member("message", message)
            }
        }
    }

    static func picture(_ picture: ClipPicture, headers: [(String, String)] = []) -> PageResponse {
        .floats(
            picture.matrix.values,
            headers: [
                ("X-Rows", "\(picture.matrix.rows)"), ("X-Bins", "\(picture.matrix.bins)"),
                ("X-Row-Period", "\(picture.rowPeriod)"), ("X-First-Time", "\(picture.firstTime)"),
            ] + headers)
    }

    static func waveform(_ pairs: [Float], period: Double, firstTime: Double) -> PageResponse {
        .floats(
            pairs,
            headers: [
                ("X-Columns", "\(pairs.count / 2)"), ("X-First-Time", "\(firstTime)"), ("X-Column-Period", "\(period)"),
            ])
    }

    static func sound(_ samples: [Float], sampleRate: Int, firstTime: Double) -> PageResponse {
        PageResponse(
            contentType: "audio/wav", headers: [PageHeader("X-First-Time", "\(firstTime)")],
            body: .content(WaveContent(samples, sampleRate: sampleRate)))
    }
}

extension JSONBuilder {
    fileprivate mutating func annotation(_ annotation: Annotation) {
        object { json in
            json.member("label", annotation.label)
            json.member("start", annotation.start)
            json.member("end", annotation.end)
            json.member("low", optional: annotation.low)
            json.member("high", optional: annotation.high)
        }
    }
}
