import AudioDecoding
import Essentials

/// The machines that computed the clips in a folder, each with what they were decoded by: `machine.json`.
struct MachineRecord: Hashable, Codable, Sendable {
    /// A machine.
    struct Machine: Hashable, Codable, Sendable {
        /// What decides last digits on it.
        let traits: MachineTraits
        /// The libraries that clips were decoded by, in the order of their names.
        fileprivate(set) var libraries: [DecodingLibrary]
    }

    /// In the order in which they were added: first the one that the folder is of.
    private(set) var machines: [Machine] = []

    /// A machine of which nothing is known.
    static let unknown: MachineRecord = {
        var record = MachineRecord()
        record.add(MachineTraits.unknown)
        return record
    }()

    /// Adds a machine, or libraries to one of the same traits.
    mutating func add(_ traits: MachineTraits, _ libraries: some Sequence<DecodingLibrary> = []) {
        let index = machines.firstIndex { $0.traits == traits } ?? machines.endIndex
        if index == machines.endIndex { machines.append(Machine(traits: traits, libraries: [])) }
        machines[index].libraries = Set(machines[index].libraries).union(libraries).sorted { $0.rawValue < $1.rawValue }
    }

    /// Adds the machines of another folder, whose clips are copied.
    mutating func add(_ other: MachineRecord) {
        for machine in other.machines { add(machine.traits, machine.libraries) }
    }
}

extension MachineRecord {
    /// Reads what `spoolText` wrote; nil: the text is not one.
    init?(json: String) {
        guard let record = try? JSONDecoder().decode(MachineRecord.self, from: Data(json.utf8)) else { return nil }
        self = record
    }
}
