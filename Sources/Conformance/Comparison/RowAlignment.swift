/// Which rows of two matrices belong together.
package struct RowAlignment: Hashable, Sendable {
    /// The expected row that the first given row belongs to; negative: so many given rows come before the first expected one.
    package let shift: Int
    /// Number of expected and of given rows.
    package let expectedRows: Int
    package let givenRows: Int

    package var expectedStart: Int { max(shift, 0) }
    package var givenStart: Int { max(-shift, 0) }
    /// Number of pairs of rows.
    package var count: Int { max(0, min(expectedRows - expectedStart, givenRows - givenStart)) }
    /// Expected rows after the last pair.
    package var missingAtEnd: Int { max(0, expectedRows - expectedStart - count) }
    /// Given rows after the last pair.
    package var extraAtEnd: Int { max(0, givenRows - givenStart - count) }

    /// Rows at the end without a partner that another placement of frames may add or drop.
    private static let usualEnds = 2

    /// Whether at most two rows at the end have no partner, which depends on the placement of frames. A shift of the first row is
    /// allowed, since it is reported.
    package var isNearlyComplete: Bool { missingAtEnd <= Self.usualEnds && extraAtEnd <= Self.usualEnds }

    /// Whether every row has its partner.
    package var isComplete: Bool { shift == 0 && expectedRows == givenRows }
}
