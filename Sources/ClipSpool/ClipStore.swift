/// Where finished clips are kept until a feature file is made of them.
package protocol ClipStore: Sendable {
    /// What messages call it: a folder.
    var folder: String { get }

    /// A reader of everything that is there, for one thread.
    func reader() -> SpoolReader
}

extension Spool: ClipStore {}
extension ShardContents: ClipStore {}
