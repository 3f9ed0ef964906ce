import Dispatch

extension WorkerPool {
    /// Runs the work on threads, and starts more of them while they wait and processors idle, as with recordings on a slow
    /// disk: see `WorkerController`. Fewer than `workers.usual` run if the system refuses more, or memory is limited; if none
    /// can be started, the caller's thread does the work.
    ///
    /// - Parameters:
    ///   - workers: How many threads.
    ///   - memory: Bytes that each thread needs at most.
    ///   - body: Called with the thread's number, from 0. It calls `WorkerTurns.next` before each part of the work. The threads
    ///     that run have to do all of the work; once one has ended, none of them rests.
    /// - Throws: The first error of a thread, after all have ended.
    package static func run(
        _ workers: WorkerRange, memory: Int = usualMemory,
        _ body: @escaping @Sendable (Int, WorkerTurns) throws -> Void
    ) throws {
        try run(workers.fitting(memory), use: { .now }, body)
    }

    /// - Parameters:
    ///   - use: The use of processors until now.
    ///   - pace: How often it is looked at.
    static func run(
        _ workers: WorkerRange, use: () -> ProcessorUse, pace: ControlPace = ControlPace(),
        _ body: @escaping @Sendable (Int, WorkerTurns) throws -> Void
    ) throws {
        let turns = WorkerTurns(wanted: workers.usual)
        let crew = WorkerCrew { number in
            defer { turns.end() }
            try body(number, turns)
        }
        let isComplete = crew.start(upTo: workers.usual) == workers.usual
        if isComplete, workers.maximum > workers.usual { control(crew, turns, workers, use, pace) }
        try crew.finish()
    }

    /// Changes the number of workers that work, until the first has ended.
    private static func control(
        _ crew: WorkerCrew, _ turns: WorkerTurns, _ workers: WorkerRange, _ use: () -> ProcessorUse, _ pace: ControlPace
    ) {
        let start = ContinuousClock.now
        func sample() -> WorkerController.Sample {
            WorkerController.Sample(time: start.duration(to: .now) / .seconds(1), turns: turns.count)
        }
        var (controller, pace) = (WorkerController(workers, sample(), use()), pace)
        while !crew.wait(pace.interval), !turns.isEnding {
            let before = controller.wanted
            guard controller.next(sample(), use) else { continue }
            if controller.wanted > crew.count, crew.start(upTo: controller.wanted) < controller.wanted {
                controller.limit(to: crew.count)
            }
            pace.next(hasChanged: controller.wanted != before)
            turns.want(controller.wanted)
        }
    }
}

/// How often a pool looks at its use of processors: often while the number of workers changes, since all wait for that; then less
/// and less often.
struct ControlPace {
    /// Milliseconds until the next look.
    private var milliseconds = shortest
    private static let (shortest, longest) = (20, 320)

    var interval: DispatchTimeInterval { .milliseconds(milliseconds) }

    mutating func next(hasChanged: Bool) {
        milliseconds = hasChanged ? Self.shortest : min(2 * milliseconds, Self.longest)
    }
}
