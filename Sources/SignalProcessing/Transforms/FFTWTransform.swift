// FFTW (Frigo, Johnson 2005) as an engine of transforms: only in builds with the package's trait FFTW.
#if FFTW
    import CFFTW
    import CPlatform

    /// Complex transforms by FFTW of the frames in lanes, Z[k] = Σ z[n] · exp(−2πikn/M). The results replace the input.
    ///
    /// In rows of their own, since FFTW is 2 to 5 times as slow where frames lie side by side. Planned with FFTW_ESTIMATE, so that every
    /// run chooses the same plan. The bits of its results depend on the processor.
    final class FFTWTransform: LaneLibrary {
        private let plan: fftw_plan
        private let buffer: DoubleBuffer
        private let rows: DoubleBuffer
        private let (numbers, lanes): (Int, Int)

        /// - Parameters:
        ///   - buffer: The lanes.
        ///   - numbers: Complex numbers of a frame, M.
        ///   - lanes: Number of frames.
        /// - Throws: `SignalError.outOfMemory`, `.noPlan`.
        init(_ buffer: DoubleBuffer, numbers: Int, lanes: Int) throws(SignalError) {
            (self.buffer, self.numbers, self.lanes) = (buffer, numbers, lanes)
            rows = try DoubleBuffer(count: 2 * numbers * lanes)
            let values = UnsafeMutableRawPointer(rows.pointer).assumingMemoryBound(to: fftw_complex.self)
            var length = Int32(numbers)
            let made = Self.withPlanner {
                fftw_plan_many_dft(
                    1, &length, Int32(lanes), values, nil, 1, length, values, nil, 1, length, FFTW_FORWARD,
                    UInt32(FFTW_ESTIMATE))
            }
            guard let made else { throw .noPlan(length: numbers) }
            plan = made
        }

        deinit { Self.withPlanner { fftw_destroy_plan(plan) } }

        func execute() {
            for lane in 0..<lanes {
                let (row, column) = (rows.pointer + 2 * numbers * lane, buffer.pointer + lane)
                for number in 0..<2 * numbers { row[number] = column[number * lanes] }
            }
            fftw_execute(plan)
            for lane in 0..<lanes {
                let (row, column) = (rows.pointer + 2 * numbers * lane, buffer.pointer + lane)
                for number in 0..<2 * numbers { column[number * lanes] = row[number] }
            }
        }

        /// FFTW's planner has global state: plans are made and destroyed under its lock, and executed without it.
        private static func withPlanner<Value>(_ body: () -> Value) -> Value {
            veery_lock_planner()
            defer { veery_unlock_planner() }
            return body()
        }
    }
#endif

/// The library that transforms a group of frames.
///
/// - Throws: `SignalError.noPlan`.
func laneLibrary(_ buffer: DoubleBuffer, numbers: Int, lanes: Int) throws(SignalError) -> any LaneLibrary {
    #if FFTW
        try FFTWTransform(buffer, numbers: numbers, lanes: lanes)
    #else
        throw .noPlan(length: numbers)
    #endif
}

/// The version of FFTW, such as `fftw-3.3.10-sse2-avx-avx2`; nil: it is not in this build.
public func transformLibraryVersion() -> String? {
    #if FFTW
        String(cString: veery_fftw_version())
    #else
        nil
    #endif
}
