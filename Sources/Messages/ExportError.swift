import FeatureExport
import FileIO

extension ExportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .displaced(let path, let kept, let code):
            "\(path): naming the folder failed: \(SystemError(code: code)); the older folder is kept as \(kept): give it its name "
                + "back, or export again"
        case .exists(let path):
            "\(path): the folder exists and is not empty; --overwrite replaces it, or choose another folder"
        case .notFolder(let path): "\(path): expected the name of a new folder, found something else of this name"
        case .linkToNothing(let path):
            "\(path): this symbolic link leads to nothing: delete it, or choose another folder"
        case .foreignFolder(let path, let found):
            "\(path): expected a folder that 'veery export' wrote, found '\(found)' in it: choose another folder"
        case .notName(let path): "\(path): expected the name of a new folder, such as \(path)/export"
        case .noSuch(let path, let what, let name, let known):
            "\(path): no clip \(what) '\(name)'"
                + (known.isEmpty ? "" : "; expected one of: \(known.joined(separator: ", "))")
        case .unsupported(let path, let reason): "\(path): \(reason)"
        case .referenceOfPart(let path):
            "\(path): a reference covers the whole feature file: leave out --split and --label, and select the clips by the "
                + "variables split and label"
        case .mixedFilters(let path, let array):
            "\(path): a chunk of /\(array) is stored without a filter that the others have, which a reference cannot say: "
                + "export it --to npy"
        case .damagedClip(let path, let id):
            "\(path): the file is damaged: the rows of clip '\(id)' do not match their tensor_xxh3 ('veery inspect --verify' lists "
                + "all such clips)"
        case .headerTooLong(let path, let bytes, let maximum):
            "\(path): the ids and labels need \(bytes) bytes, and the header of a safetensors file has at most \(maximum): "
                + "export a split at a time with --split, or --to npy"
        case .cancelled: "stopped; nothing was written"
        }
    }
}
