import AudioDecoding
import Concurrency
import FeatureModel
import Platform

/// Reads an input's samples as they come; used by one worker.
final class LiveReader {
    private let input: LiveInput
    private let cancellation: Cancellation
    private let samples: UnsafeMutableBufferPointer<Float>
    private let bytes: UnsafeMutableRawBufferPointer
    /// Bytes at the buffer's start that are not decoded yet.
    private var held = 0
    /// Bytes of samples that may still come; nil: any number.
    private var left: Int?
    private var pending: ArraySlice<UInt8>
    private let file: SoundFile?
    private var pace: LivePace?
    private var framesRead = 0
    /// What is thrown once the samples before it are handed over.
    private var failure: LiveError?

    /// Bytes at the end that were not a whole sample of every channel.
    private(set) var strayBytes = 0

    /// What the input lacked at its end; nil: nothing, or it has not ended.
    private(set) var cutOff: CutOff?
    /// Samples that were infinite or not a number and became 0.
    private(set) var zeroedSamples = 0

    /// Maximum number of frames at a time.
    private static let maximumFrames = 8192

    /// - Throws: `LiveError` where a recording cannot be opened any more.
    init(_ input: LiveInput, cancellation: Cancellation) throws(LiveError) {
        self.input = input
        self.cancellation = cancellation
        switch input.source {
        case .bytes(_, let pending, let count, _):
            self.pending = pending[...]
            left = count
            file = nil
            pace = nil
        case .recording(let path, let speed):
            file = try LiveInput.open(path)
            pending = []
            left = nil
            pace = speed > 0 ? LivePace(sampleRate: input.format.sampleRate, speed: speed) : nil
        }
        samples = .allocate(capacity: Self.maximumFrames * input.format.channels)
        bytes = .allocate(byteCount: Self.maximumFrames * input.format.frameBytes, alignment: 16)
    }

    deinit {
        samples.deallocate()
        bytes.deallocate()
    }

    /// The samples that have come since the last call, interleaved, on the unit scale; waits for at least one of every
    /// channel. Nil at the end, and when it has to stop.
    ///
    /// - Parameter isStopped: Whether samples are wanted: a recording waits for it, while others continue.
    /// - Throws: `LiveError`.
    func next(isStopped: () -> Bool) throws(LiveError) -> UnsafeBufferPointer<Float>? {
        if let failure { throw failure }
        let frames =
            switch input.source {
            case .bytes(let descriptor, _, _, _): try nextOfStream(descriptor)
            case .recording: try nextOfRecording(isStopped)
            }
        guard frames > 0 else { return nil }
        let channels = input.format.channels
        let found = UnsafeBufferPointer(rebasing: samples[..<(frames * channels)])
        defer { framesRead += frames }
        if input.policy.nonFinite == .zero {
            zeroedSamples += zeroNonFinite(UnsafeMutableBufferPointer(rebasing: samples[..<found.count]))
            return found
        }
        guard !input.format.encoding.isAlwaysFinite || file != nil, let index = firstNonFinite(found) else {
            return found
        }
        let error = LiveError.input(
            name: input.name,
            failure: .nonFiniteSample(ClipFailure.SampleValue(found[index]), frame: framesRead + index / channels))
        guard index >= channels else { throw error }
        failure = error
        return UnsafeBufferPointer(rebasing: found[..<(index / channels * channels)])
    }

    private func nextOfStream(_ descriptor: LiveDescriptor) throws(LiveError) -> Int {
        let frameBytes = input.format.frameBytes
        while held < frameBytes {
            let space = min(bytes.count - held, left ?? .max)
            guard space > 0, let start = bytes.baseAddress else { break }
            var count = min(pending.count, space)
            if count > 0 {
                UnsafeMutableRawBufferPointer(rebasing: bytes[held...]).copyBytes(from: pending.prefix(count))
                pending = pending.dropFirst(count)
            } else {
                count = try descriptor.receive(
                    into: UnsafeMutableRawBufferPointer(start: start + held, count: space), name: input.name,
                    cancellation)
            }
            guard count > 0 else {
                if !cancellation.isCancelled { endStream() }
                break
            }
            held += count
            left = left.map { $0 - count }
        }
        let frames = held / frameBytes
        guard frames > 0, let source = bytes.baseAddress, let target = samples.baseAddress else {
            strayBytes = held
            return 0
        }
        input.format.encoding.decode(source, count: frames * input.format.channels, into: target)
        let used = frames * frameBytes
        held -= used
        if held > 0 { source.copyMemory(from: source + used, byteCount: held) }
        return frames
    }

    /// Compares the stream, which has ended, with what its header promised.
    private func endStream() {
        guard case .bytes(_, _, let promised?, _) = input.source, let left else { return }
        let frameBytes = input.format.frameBytes
        let present = promised - left
        guard !PipeSize.isOne(promised, present: present), present / frameBytes < promised / frameBytes else { return }
        let rate = Double(input.format.sampleRate)
        cutOff = CutOff(
            promised: Double(promised / frameBytes) / rate, present: Double(present / frameBytes) / rate)
    }

    private func nextOfRecording(_ isStopped: () -> Bool) throws(LiveError) -> Int {
        guard let file, let target = samples.baseAddress else { return 0 }
        if isStopped() {
            while isStopped(), !cancellation.isCancelled { LivePace.rest() }
            pace?.restart()
        }
        let frames = min(pace?.wait(cancellation) ?? Self.maximumFrames, Self.maximumFrames)
        guard !cancellation.isCancelled else { return 0 }
        do throws(ClipFailure) {
            let count = try file.read(into: target, frames: frames)
            pace?.advance(by: count)
            if count == 0 { try end(file) }
            return count
        } catch {
            throw .input(name: input.name, failure: error)
        }
    }

    /// Checks, at the end of a recording, that no more samples were promised.
    private func end(_ file: SoundFile) throws(ClipFailure) {
        if let cut = file.earlyEnd ?? file.cutOff {
            guard input.policy.truncated == .keep else { throw .cutOff(cut) }
            cutOff = cut
        } else if let promised = file.frameCount, !file.isFrameCountEstimated, framesRead < promised {
            throw .missingSamples(promised: promised, found: framesRead)
        }
    }
}

/// Lets samples through in real time.
struct LivePace {
    /// In Hz.
    private let rate: Double
    private var start = ContinuousClock.now
    /// Frames that were let through since then.
    private var done = 0

    /// Seconds of samples that are let through at a time.
    private static let step = 0.01
    private static let turnMicroseconds: UInt32 = 20_000

    /// - Parameters:
    ///   - sampleRate: In Hz.
    ///   - speed: Seconds of samples in a second, more than 0.
    init(sampleRate: Int, speed: Double) { rate = Double(sampleRate) * speed }

    /// Restarts, now.
    mutating func restart() {
        start = .now
        done = 0
    }

    /// Says how many frames were read.
    mutating func advance(by frames: Int) { done += frames }

    /// Waits until frames are due, unless it is asked to stop.
    ///
    /// - Returns: How many there are; at least 1.
    func wait(_ cancellation: Cancellation) -> Int {
        let frames = max(Int(min(rate * Self.step, 1e9)), 1)
        let due = Double(done + frames) / rate
        while !cancellation.isCancelled {
            let missing = due - elapsed
            guard missing > 0 else { break }
            usleep(min(UInt32(max(min(missing, 1) * 1e6, 1)), Self.turnMicroseconds))
        }
        return max(frames, Int(min(elapsed * rate, 0x1p60)) - done)
    }

    /// Waits for a short while.
    static func rest() { usleep(turnMicroseconds) }

    private var elapsed: Double { start.duration(to: .now) / .seconds(1) }
}
