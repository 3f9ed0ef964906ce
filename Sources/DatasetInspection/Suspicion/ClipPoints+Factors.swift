extension ClipPoints {
    /// How far each clip is from the mean of its first label, in units of the root mean square of that distance over the label's clips;
    /// nil: without a label, or a label with less than two clips.
    func factors(_ clips: LabelledClips) -> [(label: Int32, factor: Float)?] {
        var counts = [Double](repeating: 0, count: clips.labelCount)
        var means = [Double](repeating: 0, count: clips.labelCount * axes)
        for clip in 0..<count {
            guard let label = clips.labels(of: clip).first.map({ Int($0) }) else { continue }
            counts[label] += 1
            for axis in 0..<axes { means[label * axes + axis] += Double(values[clip * axes + axis]) }
        }
        for label in counts.indices where counts[label] > 0 {
            for axis in 0..<axes { means[label * axes + axis] /= counts[label] }
        }
        var spreads = [Double](repeating: 0, count: clips.labelCount)
        let distances: [Double?] = (0..<count).map { clip in
            guard let label = clips.labels(of: clip).first.map({ Int($0) }) else { return nil }
            var sum = 0.0
            for axis in 0..<axes {
                let difference = Double(values[clip * axes + axis]) - means[label * axes + axis]
                sum += difference * difference
            }
            spreads[label] += sum
            return sum
        }
        return distances.enumerated().map { clip, squared in
            guard let squared, let label = clips.labels(of: clip).first, counts[Int(label)] > 1,
                spreads[Int(label)] > 0
            else { return nil }
            return (label, Float((squared / (spreads[Int(label)] / counts[Int(label)])).squareRoot()))
        }
    }
}
