import FeatureModel
import FileIO

/// What a walk over the pages of an Ogg recording has found.
///
/// libsndfile steps over damaged and missing pages without a word, takes the last page that it finds for the end, and the
/// first of several streams one after another for all of them. Whether all pages are there is found out here, by their
/// checksums, their numbers and the mark on the last one. Of streams that are mixed page by page (tracks of one recording),
/// libsndfile reads the one that begins first; the others do not matter.
struct OggPages: Equatable, Sendable {
    /// Part of the recording whose pages are damaged or missing.
    struct Damage: Equatable, Sendable {
        /// Granule position up to which everything is there; nil: the damage concerns the whole recording.
        let start: Int?
        /// Granule position from which everything is there again; nil: none.
        var end: Int?
        /// What is wrong there.
        let cause: ClipFailure.Damage
    }

    /// In the order of the file; from number `maximumDamage` on, the last entry stands for all.
    private(set) var damage: [Damage] = []
    /// Whether the file ends before the stream does.
    private(set) var isCutOff = false
    /// Whether another recording follows in the same file.
    private(set) var isChained = false
    /// Granule position of the first sample, or of the end of its page; 0 but for a broadcast that was joined late.
    private(set) var firstGranule = 0
    /// Granule position at the end of the last whole page; nil: there is no sound.
    private(set) var lastGranule: Int?
    /// Whether all pages were looked at.
    private(set) var isWhole = true

    /// Of the stream that libsndfile reads.
    private var serial: UInt32?
    private var hasEnd = false
    /// The serial numbers of all streams of this recording.
    private var streams: Set<UInt32> = []
    /// Whether a page has come that is not the first of its stream: all streams of a recording start together.
    private var isUnderWay = false
    /// The number that the next page of the stream ought to have; nil: any.
    private var expected: UInt32?
    /// Whether bytes that are no whole page followed the last page of the stream.
    private var hasRubbish = false
    /// Whether the end of the last damage has not been reached.
    private var isOpen = false

    /// Bytes at the end of a file that contain a whole page, if nothing follows the pages: the longest page, and all but a byte
    /// of another one that is cut off.
    private static let tailBytes = 2 * OggPage.maximumBytes
    /// Samples on a page, at most: packets of Opus have up to 5760, those of Vorbis 4096.
    private static let maximumSamples = OggPage.maximumPackets * 5760
    private static let maximumDamage = 256

    /// Goes over the pages.
    ///
    /// - Parameters:
    ///   - path: An Ogg file.
    ///   - endsOnly: Whether only the first and last pages are read, where there are many.
    /// - Throws: `ClipFailure` of stage `decode` where the file cannot be read.
    init(path: String, endsOnly: Bool = false) throws(ClipFailure) {
        var reader = try OggPageReader(path: path)
        var isCut = true
        var hasPageAtEnd = true
        while !isChained, let item = try reader.next() {
            switch item {
            case .page(let page):
                take(page)
                if page.serial == serial { (isCut, hasPageAtEnd) = (true, true) }
                if endsOnly, isWhole, lastGranule != nil, reader.skip(toLast: Self.tailBytes) {
                    (isWhole, hasPageAtEnd, expected) = (false, false, nil)
                }
            case .other(_, let cut):
                isCut = cut
                hasRubbish = true
            }
        }
        guard !hasEnd, !isChained, hasPageAtEnd else { return }
        if isCut { isCutOff = true } else { note(.oggPage(expected), until: nil) }
    }

    private mutating func take(_ page: OggPage) {
        if page.isFirst, isUnderWay || page.serial == serial {
            isChained = true
            return
        }
        if page.isFirst {
            streams.insert(page.serial)
            if serial == nil { (serial, expected) = (page.serial, 0) }
        } else {
            isUnderWay = true
            // A page of a stream whose first one stands between the ends that were looked at.
            if !isWhole, !streams.contains(page.serial) { isChained = true }
        }
        guard page.serial == serial else { return }
        if let expected, page.sequence != expected || hasEnd {
            note(
                hasRubbish ? .oggPage(expected) : .oggSequence(expected: expected, found: page.sequence),
                until: page)
        } else if isOpen, let granule = page.granule {
            close(at: granule)
        }
        (expected, hasRubbish) = (page.sequence &+ 1, false)
        hasEnd = hasEnd || page.isLast
        // The headers of the codec have granule position 0.
        if let granule = page.granule, granule > 0 {
            if lastGranule == nil { firstGranule = granule > Self.maximumSamples ? granule : 0 }
            lastGranule = granule
        }
    }

    /// Records damage between the last page and another; nil: none follows.
    private mutating func note(_ cause: ClipFailure.Damage, until page: OggPage?) {
        if damage.count == Self.maximumDamage {
            damage[damage.count - 1].end = nil
        } else {
            // Without a page of sound before it, it may have been a header.
            damage.append(Damage(start: lastGranule, end: nil, cause: cause))
            isOpen = lastGranule != nil
            if let granule = page?.granule { close(at: granule) }
        }
    }

    private mutating func close(at granule: Int) {
        guard isOpen else { return }
        damage[damage.count - 1].end = granule
        isOpen = false
    }
}

/// The pages of long Ogg recordings, so that each is read once for all its segments.
package final class OggWalks {
    private var known: [FileStatus: OggPages] = [:]
    private static let most = 1024

    package init() {}

    /// All pages of a recording.
    ///
    /// - Parameters:
    ///   - identity: Of the file before it was opened; nil: not known.
    ///   - path: Its path.
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
