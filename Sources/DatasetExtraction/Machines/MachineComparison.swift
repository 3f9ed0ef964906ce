import ClipSpool
import FeatureModel
import FileIO
import SignalProcessing

/// Compares the machines that computed clips with this one, in what decides the values of a plan.
struct MachineComparison {
    let plan: FeaturePlan
    /// The traits of this machine.
    let here: MachineTraits
    /// Records by their texts: those of many shards are equal.
    private var known: [String: MachineRecord] = [:]

    init(_ plan: FeaturePlan, here: MachineTraits) { (self.plan, self.here) = (plan, here) }

    /// The traits that a folder's clips depend on and that differ on this machine, in their order.
    func differences(from record: MachineRecord) -> [MachineDifference] {
        var found: [MachineDifference] = record.machines.contains { $0.traits == .unknown } ? [.unknown] : []
        for machine in record.machines where machine.traits != .unknown {
            for trait in MachineTrait.deciding(plan, decodedBy: Set(machine.libraries)) {
                let (there, here) = (machine.traits.texts[trait] ?? "", here.texts[trait] ?? "")
                let difference = MachineDifference.other(trait, there: there, here: here)
                if there != here, !found.contains(difference) { found.append(difference) }
            }
        }
        return found.sorted()
    }

    /// The record of a folder, whose machine is unknown if it has none that can be read.
    ///
    /// - Throws: `StorageError.system`.
    mutating func record(of folder: String) throws(StorageError) -> MachineRecord {
        guard let text = try SpoolNote.machines.text(in: folder) else {
            // Written before the identity: without both, it is being deleted, and its clips do not count.
            return try SpoolNote.identity.text(in: folder) == nil ? MachineRecord() : .unknown
        }
        if let record = known[text] { return record }
        let record = MachineRecord(json: text) ?? .unknown
        known[text] = record
        return record
    }

    /// The folders whose clips may have other values than here.
    ///
    /// - Throws: `StorageError.system`.
    mutating func others(among folders: [String]) throws(StorageError) -> [OtherMachine] {
        var others: [OtherMachine] = []
        for folder in folders {
            let differences = differences(from: try record(of: folder))
            if !differences.isEmpty { others.append(OtherMachine(folder: folder, differences: differences)) }
        }
        return others
    }
}

/// A folder of clips that may have other values than this machine would give them.
package struct OtherMachine: Hashable, Sendable {
    /// The folder's path.
    package let folder: String
    /// The differences; never empty.
    package let differences: [MachineDifference]
}

/// How the machine that computed clips differs from this one.
package enum MachineDifference: Hashable, Sendable {
    /// A trait that decides values of theirs.
    case other(MachineTrait, there: String, here: String)
    /// Nothing is known of the machine.
    case unknown
}
