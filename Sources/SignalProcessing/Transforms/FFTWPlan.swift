import CFFTW
import CSystem

/// FFTW's planner has global state: plans are made and destroyed under its lock, and executed without it.
private func withPlanner<Value: ~Copyable>(_ body: () -> Value) -> Value {
    veery_lock_planner()
    defer { veery_unlock_planner() }
    return body()
}

/// A plan for a batch of transforms between two fixed buffers.
///
/// Planned with FFTW_ESTIMATE, so that every run chooses the same plan and gives the same bits.
struct FFTWPlan: ~Copyable {
    private let plan: fftw_plan

    /// Forward complex transforms: row r of `input` holds `length` complex numbers from number r · `rowStride` on,
    /// and so does row r of `output`.
    ///
    /// - Throws: `SignalError.noPlan`.
    init(
        complexLength length: Int, rows: Int, rowStride: Int, input: DoubleBuffer, output: DoubleBuffer
    ) throws(SignalError) {
        var size = Int32(length)
        let stride = Int32(rowStride / 2)
        let (source, target) = (Self.complex(input), Self.complex(output))
        let made = withPlanner {
            fftw_plan_many_dft(
                1, &size, Int32(rows), source, nil, 1, stride, target, nil, 1, stride, FFTW_FORWARD, FFTW_ESTIMATE)
        }
        guard let made else { throw .noPlan(length: length) }
        plan = made
    }

    /// Transforms of real rows: row r of `input` holds `length` numbers from number r · `rowStride` on, row r of
    /// `output` receives length/2 + 1 complex numbers from number r · `outputStride` on.
    ///
    /// - Throws: `SignalError.noPlan`.
    init(
        realLength length: Int, rows: Int, rowStride: Int, outputStride: Int, input: DoubleBuffer, output: DoubleBuffer
    ) throws(SignalError) {
        var size = Int32(length)
        let (source, target) = (input.pointer, Self.complex(output))
        let made = withPlanner {
            fftw_plan_many_dft_r2c(
                1, &size, Int32(rows), source, nil, 1, Int32(rowStride), target, nil, 1, Int32(outputStride / 2),
                UInt32(FFTW_ESTIMATE))
        }
        guard let made else { throw .noPlan(length: length) }
        plan = made
    }

    /// Real-to-real transforms, such as FFTW_REDFT00: row r of `input` and of `output` holds `length` numbers from float
    /// r · `rowStride` on. `input` is left as it is.
    ///
    /// - Throws: `SignalError.noPlan`.
    init(
        kind: fftw_r2r_kind, length: Int, rows: Int, rowStride: Int, input: DoubleBuffer, output: DoubleBuffer
    ) throws(SignalError) {
        var size = Int32(length)
        var kind = kind
        let stride = Int32(rowStride)
        let (source, target) = (input.pointer, output.pointer)
        let made = withPlanner {
            fftw_plan_many_r2r(
                1, &size, Int32(rows), source, nil, 1, stride, target, nil, 1, stride, &kind,
                UInt32(FFTW_ESTIMATE) | UInt32(FFTW_PRESERVE_INPUT))
        }
        guard let made else { throw .noPlan(length: length) }
        plan = made
    }

    /// Runs all rows.
    func execute() { fftw_execute(plan) }

    deinit {
        withPlanner { fftw_destroy_plan(plan) }
    }

    private static func complex(_ buffer: DoubleBuffer) -> UnsafeMutablePointer<fftw_complex> {
        UnsafeMutableRawPointer(buffer.pointer).assumingMemoryBound(to: fftw_complex.self)
    }
}

/// The version of FFTW, such as `fftw-3.3.10-sse2-avx-avx2`.
public func transformLibraryVersion() -> String { String(cString: veery_fftw_version()) }
