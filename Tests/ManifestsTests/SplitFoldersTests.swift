import Testing

@testable import Manifests

struct SplitFoldersTests {
    /// `split:label` of each path.
    private func found(_ paths: [String]) -> [String] {
        let folders = SplitFolders(paths)
        return paths.map { path in
            let (label, split) = folders.match(path)
            return "\(split):\(label)"
        }
    }

    @Test(arguments: [
        (["train/dog/a", "test/dog/b"], ["train:dog", "test:dog"]),
        (["dog/train/a", "dog/test/b", "cat/train/c"], ["train:dog", "test:dog", "train:cat"]),
        (["dog/train/a", "dog/test/b", "cat/bark/c"], ["train:dog", "test:dog", ":bark"]),
        (["train/a", "test/b"], ["train:", "test:"]), (["train/a", "bus/b"], [":train", ":bus"]),
        (["train/a"], [":train"]), (["train_horn/a", "train_wheels/b"], [":train_horn", ":train_wheels"]),
        (["test_tone/a", "train_horn/b"], [":test_tone", ":train_horn"]),
        (["ds/train/cat/a", "ds/test/cat/b", "ds/val/c"], ["train:cat", "test:cat", "val:"]),
        (["dog/train/a", "dog/test/b"], ["train:dog", "test:dog"]),
        (["x/train/a", "x/test/b", "x/bus/c"], [":train", ":test", ":bus"]),
        (["/x/train/dog/a", "/x/test/dog/b"], ["train:dog", "test:dog"]), (["a", "b"], [":", ":"]),
    ])
    func `all folders of one folder are splits, or none of them is`(paths: [String], expected: [String]) {
        #expect(found(paths) == expected)
    }
}
