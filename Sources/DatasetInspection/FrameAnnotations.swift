import FeatureModel
import FeatureStorage

extension FeatureReader {
    /// The labels of a clip's frames as annotations: one for each run of frames with the same label, in seconds from the clip's start;
    /// empty: frames have none.
    ///
    /// - Throws: `StorageError`.
    package func frameAnnotations(of clip: StoredClip) throws(StorageError) -> [Annotation] {
        guard let names = header.frameLabelNames, let labels = try labelsInTime(of: clip) else { return [] }
        var annotations: [Annotation] = []
        var start = 0
        func time(_ frame: Int) -> Double { header.firstFrameTime + (Double(frame) - 0.5) * header.framePeriod }
        for frame in labels.indices where frame + 1 == labels.count || labels[frame + 1] != labels[frame] {
            if names.indices.contains(Int(labels[frame])),
                let annotation = Annotation(start: time(start), end: time(frame + 1), label: names[Int(labels[frame])])
            {
                annotations.append(annotation)
            }
            start = frame + 1
        }
        return annotations
    }
}
