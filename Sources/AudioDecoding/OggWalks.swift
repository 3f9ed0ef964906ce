import FeatureModel
import FileIO

/// What walks over long Ogg recordings have found, so that there is one for all segments of a recording.
package final class OggWalks {
    private var known: [FileStatus: OggPages] = [:]
    private static let most = 1024

    package init() {}

    /// All pages of a recording.
    ///
    /// - Parameters:
    ///   - identity: Which file stands there, taken before it was opened; nil: not known.
    ///   - path: Where it lies.
    /// - Throws: `ClipFailure` of stage `decode` where it cannot be read.
    func pages(of identity: FileStatus?, path: String) throws(ClipFailure) -> OggPages {
        if let identity, let pages = known[identity] { return pages }
        let pages = try OggPages(path: path)
        if let identity {
            if known.count == Self.most { known.removeAll() }
            known[identity] = pages
        }
        return pages
    }
}
