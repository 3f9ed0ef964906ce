import CCairo

extension cairo_status_t {
    /// Turns a status other than success into an error that says what was being done.
    func check(_ operation: @autoclosure () -> String) throws(PlotError) {
        guard self != CAIRO_STATUS_SUCCESS else { return }
        throw .cairo(operation: operation(), status: String(cString: cairo_status_to_string(self)))
    }
}
