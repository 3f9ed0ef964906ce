import CSndfile

/// What a sound file can say of itself in words. The program that made it is left out: that is no property of the sound.
package enum SoundFileTag: String, CaseIterable, Sendable {
    case title
    case artist
    case album
    case trackNumber = "track number"
    case date
    case genre
    case comment
    case copyright
    case license

    /// libsndfile's number.
    var code: Int32 {
        switch self {
        case .title: Int32(SF_STR_TITLE)
        case .artist: Int32(SF_STR_ARTIST)
        case .album: Int32(SF_STR_ALBUM)
        case .trackNumber: Int32(SF_STR_TRACKNUMBER)
        case .date: Int32(SF_STR_DATE)
        case .genre: Int32(SF_STR_GENRE)
        case .comment: Int32(SF_STR_COMMENT)
        case .copyright: Int32(SF_STR_COPYRIGHT)
        case .license: Int32(SF_STR_LICENSE)
        }
    }
}
