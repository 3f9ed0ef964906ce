import Testing

@testable import Concurrency

struct WorkerControllerTests {
    /// A machine that a controller steers: given the number of workers, it says what they do with the processors.
    private struct Machine {
        var controller: WorkerController
        var sample = WorkerController.Sample(time: 0, turns: 0)
        var use = ProcessorUse()
        var turns = 0.0

        init(_ workers: WorkerRange) { controller = WorkerController(workers, sample, use) }

        /// Lets time pass: `load` says, for a number of workers, how many run and how many wait for a processor.
        ///
        /// - Parameter turns: Parts of work that so many workers start in a second.
        /// - Returns: The numbers of workers that were wanted, without repetition.
        mutating func run(
            seconds: Double, turns: (Int) -> Double = { 1000 * Double($0) },
            _ load: (Int) -> (running: Double, queueing: Double)
        ) -> [Int] {
            var seen = [controller.wanted]
            let step = 0.02
            for _ in 0..<Int((seconds / step).rounded()) {
                let (wanted, now) = (controller.wanted, load(controller.wanted))
                sample.time += step
                self.turns += turns(wanted) * step
                sample.turns = Int(self.turns)
                use.running += now.running * step
                use.queueing += now.queueing * step
                let current = use
                _ = controller.next(sample) { current }
                if controller.wanted != seen.last { seen.append(controller.wanted) }
            }
            return seen
        }
    }

    private let workers = WorkerRange(usual: 2, maximum: 32)

    @Test func `while workers wait for the disk, their number doubles, up to the maximum`() {
        var machine = Machine(workers)
        #expect(machine.run(seconds: 2) { (0.03 * Double($0), 0) } == [2, 4, 8, 16, 32])
        #expect(machine.run(seconds: 60) { (0.03 * Double($0), 0) } == [32])
    }

    @Test func `there are as many workers as keep the processors busy, and no more`() {
        var machine = Machine(workers)
        // Each of them runs for a fifth of the time, as long as there are processors left.
        let seen = machine.run(seconds: 60) { (min(2, 0.2 * Double($0)), max(0, 0.2 * Double($0) - 2)) }
        #expect(seen == seen.sorted() && (8...12).contains(seen.last ?? 0), "\(seen)")
    }

    @Test func `a fast disk leaves the number of workers as it is`() {
        var machine = Machine(workers)
        #expect(machine.run(seconds: 60) { (0.9 * Double($0), 0.05) } == [2])
    }

    @Test func `a single pause is not a slow disk`() {
        var machine = Machine(workers)
        var time = 0
        let seen = machine.run(seconds: 60) { workers in
            time += 1
            return (time % 50 < 3 ? 0.6 : 0.95 * Double(workers), 0)
        }
        #expect(seen == [2])
    }

    @Test func `workers that do not wait any more become fewer again`() {
        var machine = Machine(workers)
        _ = machine.run(seconds: 2) { (0.02 * Double($0), 0) }
        #expect(machine.controller.wanted == 32)
        let seen = machine.run(seconds: 5) { (2, Double($0) - 2) }
        #expect(seen.first == 32 && seen.last == 2 && seen == seen.sorted(by: >), "\(seen)")
        // One at a time where the number of threads that wait for a processor is unknown, as on macOS.
        _ = machine.run(seconds: 3) { (0.02 * Double($0), 0) }
        #expect(machine.run(seconds: 20) { _ in (2, 0) } == Array((2...32).reversed()))
    }

    @Test func `where other processes use the processors, there are no more workers`() {
        var machine = Machine(workers)
        // Workers run for a tenth of the time, and wait twice as long for a processor as for the disk.
        #expect(machine.run(seconds: 60) { (0.1 * Double($0), 0.66 * Double($0)) } == [2])
        _ = machine.run(seconds: 2) { (0.02 * Double($0), 0) }
        #expect(machine.controller.wanted == 32)
        let seen = machine.run(seconds: 20) { (0.3, 0.5 * Double($0)) }
        #expect(seen == seen.sorted(by: >) && (2...5).contains(seen.last ?? 0), "\(seen)")
    }

    @Test func `more workers that bring nothing end again, and are tried more and more seldom`() {
        var machine = Machine(workers)
        // The disk gives no more than what four workers at a time get.
        let load = { (workers: Int) in (running: 0.1 * Double(min(workers, 4)), queueing: 0.0) }
        let turns = { (workers: Int) in 1000 * Double(min(workers, 4)) }
        #expect(machine.run(seconds: 0.5, turns: turns, load) == [2, 4, 8, 4])
        let later = machine.run(seconds: 120, turns: turns, load)
        #expect(Set(later) == [4, 8] && later.count { $0 == 8 } < 12, "\(later)")
        // Then it gives more.
        _ = machine.run(seconds: 40) { (0.02 * Double($0), 0) }
        #expect(machine.controller.wanted == 32)
    }

    @Test func `parts of work that take long are waited for, for a second at most`() {
        var machine = Machine(workers)
        #expect(machine.run(seconds: 0.5, turns: { Double($0) }) { (0.03 * Double($0), 0) } == [2])
        #expect(machine.run(seconds: 20, turns: { _ in 0 }) { (0.03 * Double($0), 0) } == [2, 4, 8, 16, 32])
    }

    @Test func `where hardly any worker runs, nothing can be lost by more of them`() {
        var machine = Machine(workers)
        #expect(machine.run(seconds: 20, turns: { _ in 0 }) { _ in (0, 0) } == [2, 4, 8, 16, 32])
    }

    @Test func `a limit that is found later holds`() {
        var machine = Machine(workers)
        _ = machine.run(seconds: 0.15) { (0.03 * Double($0), 0) }
        machine.controller.limit(to: 3)
        #expect(machine.run(seconds: 60) { (0.03 * Double($0), 0) } == [3])
    }

    @Test func `a range holds at least its usual number, and a fixed one no other`() {
        #expect(WorkerRange(usual: 0) == WorkerRange(usual: 1, maximum: 1))
        #expect(WorkerRange(usual: 3, maximum: 2) == WorkerRange(usual: 3))
        #expect(WorkerRange.adaptive(processors: 2) == WorkerRange(usual: 2, maximum: 32))
        #expect(WorkerRange.adaptive(processors: 64) == WorkerRange(usual: 64, maximum: 128))
        #expect(WorkerRange.adaptive(processors: 2).limited(to: 5) == WorkerRange(usual: 2, maximum: 5))
        #expect(WorkerRange.adaptive(processors: 2).limited(to: 0) == WorkerRange(usual: 1))
        #expect(workers.fitting(16 << 20).usual == 2 && workers.fitting(64 << 20).maximum <= 8)
    }
}
