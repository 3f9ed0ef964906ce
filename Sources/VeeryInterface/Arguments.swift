import FeatureModel

// Checked arguments of the functions of the interface.

/// The most values that an address space could hold; more is a mistake, such as a negative number made unsigned.
private let maximumCount = 1 << 45

/// The numbers that a pointer and a size stand for.
func numbers<Number>(
    _ name: String, _ start: UnsafePointer<Number>?, count: Int
) throws(InterfaceError) -> UnsafeBufferPointer<Number> {
    try requireSize(name, count)
    guard start != nil || count == 0 else { throw .null(name) }
    return UnsafeBufferPointer(start: start, count: count)
}

func requireSize(_ name: String, _ count: Int) throws(InterfaceError) {
    // A size_t above the maximum of Int arrives as a negative number.
    guard (0...maximumCount).contains(count) else {
        throw InterfaceError(
            .invalidArgument, "\(name): expected at most \(maximumCount) values, found \(UInt(bitPattern: count))")
    }
}

/// Refuses a capacity of more values than an address space holds.
func requireCapacity(_ capacity: Int, rowsOf bins: Int) throws(InterfaceError) {
    let (values, overflow) = capacity.multipliedReportingOverflow(by: bins)
    guard !overflow else {
        throw InterfaceError(
            .invalidArgument, "capacity: found \(capacity) rows of \(bins) values, more than memory holds")
    }
    try requireSize("capacity", values)
}

/// A pointer to write a result to.
func target<Value>(
    _ name: String, _ pointer: UnsafeMutablePointer<Value>?
) throws(InterfaceError) -> UnsafeMutablePointer<Value> {
    guard let pointer else { throw .null(name) }
    return pointer
}

/// The object that a handle points to.
func object<Object: AnyObject>(
    _ name: String, _ handle: UnsafeRawPointer?, of type: Object.Type
) throws(InterfaceError) -> Object {
    guard let handle else { throw .null(name) }
    return Unmanaged<Object>.fromOpaque(handle).takeUnretainedValue()
}

/// A rate in Hz; nil for 0.
func rate(_ sampleRate: UInt32) throws(InterfaceError) -> Int? {
    guard sampleRate != 0 else { return nil }
    let rates = AudioConfiguration.sampleRates
    guard rates.contains(Int(sampleRate)) else {
        throw InterfaceError(
            .invalidArgument,
            "sample_rate: expected 0 or \(rates.lowerBound) to \(rates.upperBound) Hz, found \(sampleRate)")
    }
    return Int(sampleRate)
}
