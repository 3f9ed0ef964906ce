import FeatureModel
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
        duration = try Self.number("duration", of: object)
        func text(_ name: String) throws(Refusal) -> String {
            try Self.number(name, of: object) == nil ? "" : object[name]?.text ?? ""
        }
        declared = (try text("duration"), try text("num_samples"), try text("sampling_rate"))
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
            sources.append(Source(path: path, channels: try Self.channels(source["channels"], "channels")))
        }
        self.sources = sources
    }

    /// The channels that a cut, a supervision or a source names; none where it has no such member.
    ///
    /// - Parameter name: What a message calls the member.
    static func channels(_ value: JSONValue?, _ name: String = "channel") throws(Refusal) -> [Int] {
        guard let value else { return [] }
        let elements = value.elements ?? [value]
        let channels = elements.compactMap { $0.number.flatMap { Int(exactly: $0) } }
        guard !elements.isEmpty, channels.count == elements.count, channels.allSatisfy(ChannelName.allowed.contains)
        else {
            throw Refusal(
                text: "\(name) is \(quoted(value.text)); expected a whole number, counted from 0, or a list of these")
        }
        return channels
    }

    /// The number that a member is; nil: there is none of that name.
    static func number(_ name: String, of object: JSONValue) throws(Refusal) -> Double? {
        guard let value = object[name] else { return nil }
        guard let number = value.number else {
            throw Refusal(text: "\(name) is \(quoted(value.text)); expected a number, without quotation marks")
        }
        return number
    }

    /// Whether the samples are in an archive of lhotse Shar, which cuts do not name.
    static func isInShar(_ object: JSONValue) -> Bool {
        object["sources"]?.elements?.contains { $0["type"]?.string == "shar" } == true
    }

    private var hasSeveralChannels: Bool { sources.count > 1 || (sources.first?.channels.count ?? 0) > 1 }

    /// The channel of a supervision, as a source's: lhotse takes the first one where a supervision names none.
    func channel(ofSupervision object: JSONValue) -> JSONValue? {
        object["channel"] ?? (hasSeveralChannels ? .number("0") : nil)
    }

    /// The file of the channels that a cut or a supervision names, and the channel in it; nil: all of the file.
    func source(of channel: JSONValue?) throws(Refusal) -> (path: String, channel: Int?) {
        let wanted = try Self.channels(channel)
        guard hasSeveralChannels else {
            guard let first = sources.first else { return ("", nil) }
            // The source does not say which channels it has.
            guard !first.channels.isEmpty else {
                if Set(wanted).count > 1 { throw severalAreWanted }
                return (first.path, wanted.first)
            }
            if let other = wanted.first(where: { !first.channels.contains($0) }) {
                throw Refusal(text: "the recording \(quoted(id)) has no channel \(other)")
            }
            return (first.path, nil)
        }
        if let other = wanted.first(where: { channel in !sources.contains { $0.channels.contains(channel) } }) {
            throw Refusal(text: "the recording \(quoted(id)) has no channel \(other)")
        }
        let owners = sources.filter { source in wanted.isEmpty || wanted.contains(where: source.channels.contains) }
        guard let owner = owners.first, owners.count == 1 else {
            throw Refusal(text: "the channels of \(quoted(id)) are in several files; expected a channel of one of them")
        }
        if wanted.isEmpty || Set(wanted).isSuperset(of: owner.channels) && wanted.count > 1 { return (owner.path, nil) }
        guard wanted.count == 1, let index = owner.channels.firstIndex(of: wanted[0]) else {
            throw severalAreWanted
        }
        return (owner.path, owner.channels.count > 1 ? index : nil)
    }

    private var severalAreWanted: Refusal {
        Refusal(text: "some of the channels of \(quoted(id)) are asked for; expected one or all of them")
    }
}
