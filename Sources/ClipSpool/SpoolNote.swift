import FileIO

/// A small file in a spool's folder, which is complete or missing. `Spool.write` writes it.
package enum SpoolNote: String, CaseIterable, Sendable {
    /// The run that the clips are of; without it, they do not count.
    case identity = "run.json"
    /// What computed the clips.
    case machines = "machine.json"
    /// The folder that has the clips instead of this one.
    case pointer = "elsewhere"
    /// The live recording that the rows are of.
    case live = "live.json"

    /// Its text; nil: there is none.
    ///
    /// - Throws: `StorageError.system`.
    package func text(in folder: String) throws(StorageError) -> String? { try SpoolFolder.text(folder, rawValue) }
}
