import Manifests

/// A recording as lhotse describes it: files, each with some of the channels.
struct LhotseRecording {
    struct Refusal: Error { let text: String }

    private struct Source {
        let path: String
        /// The recording's channels that the file holds, in its order.
        let channels: [Int]
    }

    let id: String
    /// Length in seconds; nil: not given.
    let duration: Double?
    /// Length in seconds, number of samples and rate in Hz, as the texts of a manifest; empty: not given.
    let declared: (duration: String, samples: String, rate: String)
    private let sources: [Source]

    init(_ object: JSONValue) throws(Refusal) {
        guard let id = object["id"]?.text, !id.isEmpty else { throw Refusal(text: "the recording has no id") }
        guard let list = object["sources"]?.elements, !list.isEmpty else {
            throw Refusal(text: "the recording \(quoted(id)) has no sources")
        }
        let transforms = (object["transforms"]?.elements ?? []).map { $0["name"]?.text ?? "?" }
        if let name = transforms.first {
            throw Refusal(
                text:
                    "the recording \(quoted(id)) is to be changed when it is read (\(name)); save its audio, and name that"
            )
        }
        self.id = id
        duration = object["duration"]?.number
        func text(_ name: String) -> String { object[name]?.number == nil ? "" : object[name]?.text ?? "" }
        declared = (text("duration"), text("num_samples"), text("sampling_rate"))
        var sources: [Source] = []
        for source in list {
            let type = source["type"]?.text ?? "file"
            guard type == "file" else {
                let what =
                    switch type {
                    case "command": "a command, which is not run, since a dataset could do anything with it"
                    case "url": "an address of the network"
                    default: "of the type \(quoted(type))"
                    }
                throw Refusal(
                    text: "the source of \(quoted(id)) is \(what); expected a file: save the audio, and name that")
            }
            guard let path = source["source"]?.string, !path.isEmpty else {
                throw Refusal(text: "the source of \(quoted(id)) has no path")
            }
            let channels = (source["channels"]?.elements ?? []).compactMap { $0.number.flatMap { Int(exactly: $0) } }
            sources.append(Source(path: path, channels: channels))
        }
        self.sources = sources
    }

    /// Whether the samples are in an archive of lhotse Shar, which cuts do not name.
    static func isInShar(_ object: JSONValue) -> Bool {
        object["sources"]?.elements?.contains { $0["type"]?.string == "shar" } == true
    }

    /// The channels that a cut or a supervision names.
    static func channels(_ value: JSONValue?) -> [Int] {
        (value?.elements ?? value.map { [$0] } ?? []).compactMap { $0.number.flatMap { Int(exactly: $0) } }
    }

    private var hasSeveralChannels: Bool { sources.count > 1 || (sources.first?.channels.count ?? 0) > 1 }

    /// The channel of a supervision, as a source's: lhotse takes the first one where a supervision names none.
    func channel(ofSupervision object: JSONValue) -> JSONValue? {
        let named = object["channel"]
        return Self.channels(named).isEmpty && hasSeveralChannels ? .number("0") : named
    }

    /// The file of the channels that a cut or a supervision names, and the channel in it; nil: all of the file.
    func source(of channel: JSONValue?) throws(Refusal) -> (path: String, channel: Int?) {
        let wanted = Self.channels(channel)
        guard hasSeveralChannels else {
            if let first = sources.first,
                let other = wanted.first(where: { !first.channels.isEmpty && !first.channels.contains($0) })
            {
                throw Refusal(text: "the recording \(quoted(id)) has no channel \(other)")
            }
            return (sources.first?.path ?? "", nil)
        }
        let owners = sources.filter { source in wanted.isEmpty || wanted.contains(where: source.channels.contains) }
        guard let owner = owners.first else {
            throw Refusal(text: "the recording \(quoted(id)) has no channel \(wanted.first ?? 0)")
        }
        guard owners.count == 1 else {
            throw Refusal(text: "the channels of \(quoted(id)) are in several files; expected a channel of one of them")
        }
        if wanted.isEmpty || Set(wanted).isSuperset(of: owner.channels) && wanted.count > 1 { return (owner.path, nil) }
        guard wanted.count == 1, let index = owner.channels.firstIndex(of: wanted[0]) else {
            throw Refusal(text: "some of the channels of \(quoted(id)) are asked for; expected one or all of them")
        }
        return (owner.path, owner.channels.count > 1 ? index : nil)
    }
}
