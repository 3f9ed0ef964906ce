import CPlatform
import Platform

/// Numbers that come piece after piece. Unlike an array's, memory that runs out does not end the program.
package final class GrowingBuffer {
    /// How many numbers there are.
    package private(set) var count = 0

    private var start: UnsafeMutablePointer<Float>?
    private var capacity = 0
    private static let minimumCapacity = 4096

    /// Allocates nothing yet.
    package init() {}

    deinit { free(start) }

    /// The numbers; valid until the next `append`.
    package var values: UnsafeMutableBufferPointer<Float> { UnsafeMutableBufferPointer(start: start, count: count) }

    /// Adds numbers at the end.
    ///
    /// - Returns: Whether there was memory for them; if not, the buffer is as before.
    package func append(_ values: UnsafeBufferPointer<Float>) -> Bool {
        guard let source = values.baseAddress, !values.isEmpty else { return true }
        if capacity - count < values.count, !grow(to: count + values.count) { return false }
        guard let start else { return false }
        (start + count).update(from: source, count: values.count)
        count += values.count
        return true
    }

    /// Discards the first `number` numbers.
    ///
    /// - Precondition: There are as many.
    package func removeFirst(_ number: Int) {
        precondition(number <= count, "only numbers that are there can be removed")
        count -= number
        if let start, count > 0 { memmove(start, start + number, count * MemoryLayout<Float>.stride) }
    }

    /// Discards the last `number` numbers.
    ///
    /// - Precondition: There are as many.
    package func removeLast(_ number: Int) {
        precondition(number <= count, "only numbers that are there can be removed")
        count -= number
    }

    /// Discards all numbers, and keeps the memory.
    package func removeAll() { count = 0 }

    private func grow(to needed: Int) -> Bool {
        let wanted = max(needed, capacity * 2, Self.minimumCapacity)
        for size in [wanted, needed] {
            let (bytes, overflow) = size.multipliedReportingOverflow(by: MemoryLayout<Float>.stride)
            // What the caller does next needs some memory, too, and may end the process without.
            guard !overflow, veery_memory_is_left(bytes - capacity * MemoryLayout<Float>.stride) != 0,
                let memory = realloc(start, bytes)
            else { continue }
            start = memory.bindMemory(to: Float.self, capacity: size)
            capacity = size
            return veery_memory_is_left(0) != 0
        }
        return false
    }
}
