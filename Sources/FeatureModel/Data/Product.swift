extension Sequence where Element: FixedWidthInteger {
    /// The product of all numbers; nil where it, or that of the first ones, is too large for the type.
    package func product() -> Element? {
        var product: Element = 1
        for number in self {
            let (next, overflow) = product.multipliedReportingOverflow(by: number)
            if overflow { return nil }
            product = next
        }
        return product
    }
}
