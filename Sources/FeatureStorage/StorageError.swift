import FileIO

/// Why a file was not read or written; the spool and the feature file have one type of error.
public typealias StorageError = FileIO.StorageError
