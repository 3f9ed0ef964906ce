extension ArchiveMember.Kind {
    /// Why a member of this kind and name is not read; nil: it is.
    func refusal(named name: String) -> ArchiveError? {
        if MemberPath.isUnsafe(name) {
            return ArchiveError("its name leads out of the folder that the archive would be unpacked in")
        }
        return self == .regular ? nil : ArchiveError("expected a regular file, found \(self.name)")
    }
}
