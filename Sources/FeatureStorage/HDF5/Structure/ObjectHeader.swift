/// What the header of an object says, as far as libhdf5 makes room by it.
struct ObjectHeader {
    var extents: StoredExtents?
    var type: StoredType?
    var layout: StoredLayout?
    /// Whether values pass through filters, such as deflate's.
    var isFiltered = false
    /// Tree and heap of a group's names.
    var names: (tree: UInt64, heap: UInt64)?
    /// A header of the newer form, which has checksums that libhdf5 looks at; nothing else is known of it then.
    var isNewer = false
}
