import CCairo

/// Takes the bytes of a file that Cairo writes piece by piece.
final class ByteSink {
    /// What was written so far.
    private(set) var bytes: [UInt8] = []

    /// What Cairo hands to `receiveBytes`; valid as long as the sink lives.
    var closure: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    func append(_ piece: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: piece) }
}

/// Gives a piece of a file to the `ByteSink` whose `closure` was handed over.
func receiveBytes(
    _ closure: UnsafeMutableRawPointer?, _ data: UnsafePointer<UInt8>?, _ count: UInt32
) -> cairo_status_t {
    guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
    let sink = Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
    sink.append(UnsafeBufferPointer(start: data, count: Int(count)))
    return CAIRO_STATUS_SUCCESS
}
