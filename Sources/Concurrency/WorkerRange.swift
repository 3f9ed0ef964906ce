/// How many threads do a work: always the same number, or more while they wait and processors idle.
package struct WorkerRange: Hashable, Sendable {
    /// Threads at first and at least, 1 or more; if `maximum` is more, as many as there are processors.
    package let usual: Int
    /// Threads at most.
    package let maximum: Int

    /// Beyond 32 workers, a disk with waits of 6 to 7 ms for a clip was no faster on two processors, and 128 were slower. More
    /// processors are not measured: two workers for each are a guess.
    private static let (mostOfFew, mostOfEach) = (32, 2)

    /// - Parameters:
    ///   - usual: Threads at first and at least; 0 and less are 1.
    ///   - maximum: Threads at most; nil, or fewer than `usual`: `usual`.
    package init(usual: Int, maximum: Int? = nil) {
        self.usual = max(usual, 1)
        self.maximum = max(maximum ?? usual, self.usual)
    }

    /// As many as processors; more, at most 32 or two for each processor, while they wait.
    package static func adaptive(processors: Int) -> WorkerRange {
        WorkerRange(usual: processors, maximum: max(mostOfFew, mostOfEach * processors))
    }

    /// Not more than so many parts of work.
    package func limited(to parts: Int) -> WorkerRange {
        WorkerRange(usual: min(usual, parts), maximum: min(maximum, parts))
    }

    /// Not more than the process may have.
    ///
    /// - Parameter memory: Maximum memory of each thread in bytes, in addition to its stack.
    func fitting(_ memory: Int) -> WorkerRange {
        let usual = AddressSpace.threads(usual, of: memory)
        guard maximum > usual else { return WorkerRange(usual: usual) }
        let most = min(
            AddressSpace.threads(maximum, of: memory), Descriptors.threads, Self.memoryOfAll / max(memory, 1))
        return WorkerRange(usual: usual, maximum: min(maximum, most))
    }

    /// Bytes that all threads may need if there are more than processors. Most need a tenth of what they may.
    private static let memoryOfAll = 512 << 20
}
