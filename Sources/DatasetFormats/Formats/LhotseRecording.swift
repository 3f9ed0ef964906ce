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
        /// A number, as it stands; empty: there is none.
        func number(_ name: String) throws(Refusal) -> String {
            guard let value = object[name] else { return "" }
            guard value.number != nil else {
                throw Refusal(
                    text: "the recording \(quoted(id)) has the \(name) \(quoted(value.text)); expected a number")
            }
            return value.text
        }
        declared = (try number("duration"), try number("num_samples"), try number("sampling_rate"))
        duration = object["duration"]?.number
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
            sources.append(Source(path: path, channels: try Self.channels(source["channels"])))
        }
        self.sources = sources
    }

    /// The channels that a source, a cut or a supervision names.
    static func channels(_ value: JSONValue?) throws(Refusal) -> [Int] {
        var channels: [Int] = []
        for element in value?.elements ?? value.map({ [$0] }) ?? [] {
            guard let channel = element.number.flatMap({ Int(exactly: $0) }) else {
                throw Refusal(text: "the channel is \(quoted(element.text)); expected a whole number, counted from 0")
            }
            channels.append(channel)
        }
        return channels
    }

    private var hasSeveralChannels: Bool { sources.count > 1 || (sources.first?.channels.count ?? 0) > 1 }

    /// The channel of a supervision, as a source's: lhotse takes the first one where a supervision names none.
    func channel(ofSupervision object: JSONValue) throws(Refusal) -> JSONValue? {
        let named = object["channel"]
        return try Self.channels(named).isEmpty && hasSeveralChannels ? .number("0") : named
    }

    /// The file of the channels that a cut or a supervision names, and the channel in it; nil: all of the file.
    func source(of channel: JSONValue?) throws(Refusal) -> (path: String, channel: Int?) {
        let wanted = try Self.channels(channel)
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
