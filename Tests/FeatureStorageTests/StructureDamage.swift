/// What is found in a file whose parts contradict one another, with the words of each once.
enum StructureDamage {
    case valuesTooLong(at: Int, bytes: Int)
    case textOfOtherLength(promised: UInt32)
    case noText(number: Int)
    case heapTooLong(at: Int, bytes: Int)
    case textTooLong(bytes: Int)
    case heapLeft(at: Int)
    case headerTooLong(at: Int, file: Int)
    case headerOutside(at: Int)
    case nameTwice
    case treeOfNames
    case endlessName
    case extentsOfColumn
    case chunksTooLarge
    case chunkTooLong
    case chunkOutside(at: Int)
    case treeOfChunks
    case tooFewChunks

    var words: String {
        switch self {
        case .valuesTooLong(let place, let bytes): "at byte \(place) promises values of \(bytes) bytes"
        case .textOfOtherLength(let promised): "of which the attribute format of / promises \(promised)"
        case .noText(let number): "has no text of number \(number)"
        case .heapTooLong(let place, let bytes): "a heap of texts at byte \(place) promises \(bytes) bytes"
        case .textTooLong(let bytes): "holds a text of \(bytes) bytes"
        case .heapLeft(let place): "a heap of texts at byte \(place) has 0 bytes left of"
        case .headerTooLong(let place, let file):
            "the header of / at byte \(place) promises 4294967295 bytes, and the file has \(file)"
        case .headerOutside(let place): "the header of / starts at byte \(place)"
        case .nameTwice: "or one that occurs twice"
        case .treeOfNames: "the tree of names of"
        case .endlessName: "has a name without an end"
        case .extentsOfColumn: "claims the extents [8589934592]"
        case .chunksTooLarge: "/features of the extents [64, 5] has chunks of [67108864, 5, 4]"
        case .chunkTooLong: "has a chunk of 4294967295 bytes"
        case .chunkOutside(let place): "a chunk of /features at byte \(place)"
        case .treeOfChunks: "the tree of chunks of /features"
        case .tooFewChunks: "/features claims the extents [64, 5]"
        }
    }
}
