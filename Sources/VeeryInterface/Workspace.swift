import FeatureModel
import Resampling
import SignalProcessing

/// What one thread needs to compute the features of whole signals: buffers, transforms, a resampler.
final class Workspace {
    private let plan: FeaturePlan
    private let stream: ClipStream
    /// The resampler of the latest call; nil: its signal had the plan's rate.
    private var resampler: Resampler?

    init(_ plan: FeaturePlan) throws(InterfaceError) {
        self.plan = plan
        stream = try converting { try ClipStream(plan, maximumKept: ClipStream.usualMaximumKept) }
    }

    /// Computes rows, before normalisation by a signal's or dataset's statistics, into `target`, as far as there is room.
    ///
    /// - Returns: The number of rows.
    func features(
        of samples: UnsafeBufferPointer<Float>, rate: Int, into target: UnsafeMutablePointer<Float>?, capacity: Int
    ) throws(InterfaceError) -> Int {
        let rateOfPlan = Int(plan.sampleRate)
        let (stream, bins) = (stream, plan.bins)
        do {
            if rate == rateOfPlan {
                resampler = nil
            } else if resampler?.inputRate != rate {
                resampler = try Resampler(from: rate, to: rateOfPlan)
            }
            let resampler = resampler
            resampler?.reset()
            /// A pass over the signal.
            func pass(_ receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure) {
                guard let resampler else { return try receive(samples) }
                try resampler.push(samples, receive: receive)
                try resampler.finish(receive: receive)
            }
            var values = 0
            let room = target == nil ? 0 : capacity * bins
            func store(_ rows: UnsafeBufferPointer<Float>) {
                if values + rows.count <= room, let source = rows.baseAddress {
                    target.map { ($0 + values).update(from: source, count: rows.count) }
                }
                values += rows.count
            }
            var survey = SignalSurvey(plan)
            while survey.needsPass {
                try pass { survey.push($0) }
                survey.endPass()
            }
            stream.start(survey.level)
            try pass { stream.push($0, to: store) }
            if !stream.finish(to: store) {
                stream.startSecondPass()
                try pass { stream.push($0, to: store) }
                _ = stream.finish(to: store)
            }
            return values / bins
        } catch {
            throw InterfaceError(error)
        }
    }
}
