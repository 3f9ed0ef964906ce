import FeatureModel
import FileIO

/// The pages of an Ogg recording, scanned for damage.
///
/// libsndfile skips damaged and missing pages silently, takes the last page that it finds for the end, and reads only the
/// first of several chained streams. This scan checks that all pages are present, by their checksums, their numbers and the
/// mark on the last one. Of multiplexed streams (tracks of one recording), libsndfile reads the first; the others are ignored.
struct OggPages: Equatable, Sendable {
    /// Part of the recording whose pages are damaged or missing.
    struct Damage: Equatable, Sendable {
        /// Granule position before the damage; nil: the whole recording is affected.
        let start: Int?
        /// Granule position after the damage; nil: it lasts to the end.
        var end: Int?
        let cause: ClipFailure.Damage
    }

    /// In the order of the file; the last of `maximumDamage` entries stands for all further damage.
    private(set) var damage: [Damage] = []
    /// Whether the file ends before the stream does.
    private(set) var isCutOff = false
    /// Whether another recording follows in the same file.
    private(set) var isChained = false
    /// Granule position of the first sample, or of the end of its page; 0 except in a stream that was joined late.
    private(set) var firstGranule = 0
    /// Granule position at the end of the last whole page; nil: no sound.
    private(set) var lastGranule: Int?
    /// The number of the last page, where its granule position cannot be: libsndfile takes that for the length.
    private(set) var wrongEnd: UInt32?
    /// Whether all pages were scanned.
    private(set) var isWhole = true

    /// The stream that libsndfile reads.
    private var serial: UInt32?
    private var hasEnd = false
    /// The serial numbers of all streams of this recording.
    private var streams: Set<UInt32> = []
    /// Whether a page was seen that is not the first of its stream: all streams of a recording start together.
    private var isUnderWay = false
    /// The expected number of the stream's next page; nil: any.
    private var expected: UInt32?
    /// Whether other bytes followed the last page of the stream.
    private var hasRubbish = false
    /// Whether the last damage has no end yet.
    private var isOpen = false

    /// Bytes at the end of a file that contain a whole page: the longest page, and another one that is cut off.
    private static let tailBytes = 2 * OggPage.maximumBytes
    /// Maximum samples on a page: packets of Opus have up to 5760, those of Vorbis 4096.
    private static let maximumSamples = OggPage.maximumPackets * 5760
    private static let maximumDamage = 256

    /// Scans the pages.
    ///
    /// - Parameter endsOnly: Whether only the first and last pages of a long file are read.
    /// - Throws: `ClipFailure` of stage `decode` where the file cannot be read.
    init(_ content: FileContent, endsOnly: Bool = false) throws(ClipFailure) {
        var reader = try OggPageReader(content)
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
            // A page of a stream that starts between the scanned ends.
            if !isWhole, !streams.contains(page.serial) { isChained = true }
        }
        guard page.serial == serial else { return }
        if let expected, page.sequence != expected || hasEnd {
            note(hasRubbish ? .oggPage(expected) : .oggSequence(expected: expected, found: page.sequence), until: page)
        } else if isOpen, let granule = page.granule {
            close(at: granule)
        }
        (expected, hasRubbish) = (page.sequence &+ 1, false)
        hasEnd = hasEnd || page.isLast
        if page.isLast, let last = lastGranule, page.granule.map({ $0 < last }) ?? page.endsPacket {
            wrongEnd = page.sequence
        }
        // The codec's headers have granule position 0.
        if let granule = page.granule, granule > 0 {
            if lastGranule == nil { firstGranule = granule > Self.maximumSamples ? granule : 0 }
            lastGranule = granule
        }
    }

    /// Records damage between the last page and another one; nil: no page follows.
    private mutating func note(_ cause: ClipFailure.Damage, until page: OggPage?) {
        if damage.count == Self.maximumDamage {
            damage[damage.count - 1].end = nil
        } else {
            // Without a page of sound before, it may be a header.
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
