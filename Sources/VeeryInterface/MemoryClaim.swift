import CPlatform

/// The memory that closures, boxes of errors and texts take, in bytes.
let smallMemory = Int(veery_small_memory)

/// Runs `body` if `bytes` of memory can be allocated for it; 0: it allocates nothing.
///
/// - Throws: `InterfaceError.outOfMemory`, or what `body` throws.
func claiming<Value>(
    _ bytes: Int, _ body: () throws(InterfaceError) -> Value
) throws(InterfaceError) -> Value {
    guard bytes > 0 else { return try body() }
    guard veery_claim_memory(bytes) != 0 else { throw .outOfMemory }
    defer { veery_end_claim(bytes) }
    return try body()
}

/// Writes the text that `body` makes, for which `bytes` of memory are claimed; an empty one where there is no memory.
///
/// - Returns: The length of the text in bytes, without the 0 at its end.
func writing(
    _ bytes: Int, to target: UnsafeMutablePointer<CChar>?, capacity: Int, _ body: () -> String
) -> Int {
    guard veery_stack_suffices() != 0, veery_claim_memory(bytes) != 0 else {
        return write("", to: target, capacity: capacity)
    }
    defer { veery_end_claim(bytes) }
    return write(body(), to: target, capacity: capacity)
}
