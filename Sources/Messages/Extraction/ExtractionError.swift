import Archives
import DatasetExtraction
import FeatureModel
import Manifests
import Presentation

extension ExtractionError: CustomStringConvertible {
    /// The error as one sentence for a person.
    package var description: String {
        switch self {
        case .cancelled: "stopped before the file was complete"
        case .otherShards(let folder, let found, let wanted):
            "\(folder): there are shards of \(found) here, not of \(wanted): give --shard i/\(found), or delete the folder"
        case .missingShards(let folder, let numbers, let missing, let count):
            "\(folder): expected all shards to be done, found "
                + (count.map {
                    "\(missing) of \($0) missing: \(numbers.map(String.init).joined(separator: ", "))"
                        + (missing > numbers.count ? ", …" : "")
                } ?? "none") + ": run them with --shard, or give --files without --file, which computes what is missing"
        case .missingClips(let folder, let count):
            "\(folder): \(Wording.count(count, "clip")) \(count == 1 ? "is" : "are") in no shard: give --files without --file, "
                + "which computes what is missing"
        case .staleShards(let folder, let count, let path):
            "\(folder): the recordings of \(Wording.count(count, "clip")), such as \(path), have changed or are missing since their "
                + "shards were computed: restore them, give --files without --file to compute these clips again, or, if they are "
                + "only missing, --keep-missing"
        case .goneFolder(let path):
            "\(path): the folder of finished clips has gone during the work (was its disk unmounted?): bring it back and give the same "
                + "command again; without it, the command starts from the first clip"
        case .deletedAttempt(let folder):
            "\(folder): somebody has deleted this folder of shards, or a part of it, during the work: give the same command again"
        case .incompleteOutput(let path, let reason):
            "\(path): the file exists and cannot be read: give the same command again, since a network file system may not show all "
                + "of it yet; if it is damaged, --overwrite replaces it: \(reason)"
        case .shardOfOtherRun(let folder, let differences):
            "\(folder): this shard of the same output was made otherwise: \(differences.sentence): \(differences.shardAgreement)"
        case .otherRun(let folder, let differences):
            "\(folder): an interrupted run left clips here, but \(differences.sentence): \(differences.resumption)"
        case .otherMachines(let others, let first?):
            "\(OtherMachine.text(of: others, here: "in \(first)")): values may differ in last digits: run these shards again on one "
                + "kind of machine, or give --allow-mixed"
        case .otherMachines(let others, nil):
            "\(OtherMachine.text(of: others)): values may differ in last digits: run these shards again on one kind of machine, the "
                + "same as this one, or give --allow-mixed"
        case .clipsElsewhere(let kept, let isBesideOutput, let exists):
            "an interrupted run of this output kept its clips in \(kept)"
                + (exists
                    ? ": give \(isBesideOutput ? "its command, without --scratch," : "the same --scratch") again to resume it, "
                        + "or --fresh to delete them"
                    : ", which is missing: restore it, or give --fresh to start over")
        case .missingRecordings(let folder, let count, let path):
            "\(folder): clips are kept here, but the recordings of \(count) of them, such as \(path), are "
                + "missing: restore them (is a disk not mounted?) and give the same command again, or add --keep-missing "
                + "to use those clips as they were read, or --fresh to delete all"
        case .noRecordingExists(let manifest, let count, let path, let root, let reason):
            "\(manifest): \(count == 1 ? "the only recording does not exist," : "none of the \(Wording.count(count)) recordings exists, such as") "
                + "'\(path)'"
                + (path.hasPrefix("/") ? "" : " in the folder '\(root)', where relative paths start")
                + ", so there is nothing to write: "
                + (reason?.advice ?? "give the folder with --root")
        case .cannotAppend(let path, let obstacle):
            "\(path): clips can be appended to a file of the same configuration, made from a part of the manifest's clips in "
                + "the same order, but \(obstacle.words(of: path))"
                + (obstacle.isOfSoftware
                    ? ": append with the version that made it, or give --overwrite instead of --append to compute all clips again"
                    : "")
        case .cannotSync(let path, let obstacle):
            "\(path): a file that follows its manifest has the same configuration, software and recordings of its clips, but \(obstacle.words(of: path))"
                + (obstacle.areWholeAdvice
                    ? ""
                    : obstacle.isOfSoftware
                        ? ": sync with the version that made it, or add --overwrite to compute all clips again"
                        : ": undo that, or add --overwrite to compute all clips again")
        case .staleClips(let path, let count, let recordings):
            "\(path): the recordings of \(Wording.count(count, "clip")) are no longer those that the file was made from, or the "
                + "manifest says another length or rate of them (" + recordings.joined(separator: ", ")
                + "): restore them, or give --sync instead of --append to compute these clips anew, or --overwrite to compute "
                + "all"
        case .interruptedRecording(let output, let seconds):
            "\(output): a recording" + (seconds.map { " of \(Wording.duration($0))" } ?? "")
                + " was interrupted before this file was written. To complete it: \(Self.recovery(of: output)). "
                + "To discard it, delete the folder \(output).spool"
        case .outputExists(let path, let difference):
            if case .missingRecording = difference {
                "\(path): the file exists and \(difference.words(of: path)): make it available again, such as by mounting its disk or with --root, "
                    + "and give the same command; --overwrite makes a file without these clips"
            } else {
                "\(path): the file exists and \(difference.words(of: path)): give --overwrite to replace it, or another name"
            }
        case .notReplaceable(let path):
            "\(path): the file exists and is no feature file, so it is not replaced, not even with --overwrite: "
                + "choose another name"
        case .unwritableFolder(let path, let reason, _): "\(path): cannot write into this folder: \(reason)"
        case .otherFileSystem(let path):
            "\(path): cannot write into this folder: it is on another file system than the output, which is assembled there and "
                + "then renamed; --scratch keeps finished clips elsewhere"
        case .channelWithAll(let manifest, let id, let channel):
            "\(manifest): the clip '\(id)' names channel \(channel), but audio.channels is all, which keeps every channel: "
                + "leave out the column channel, or choose one channel with audio.channels"
        case .noSuchSplit(let name, let manifest, let known):
            "\(manifest): normalize.fit names the split '\(name)', but the split column holds "
                + (known.isEmpty ? "no names" : "only \(known.map { "'\($0)'" }.joined(separator: ", "))")
                + ": name one (--set normalize.fit=NAME), take all clips (--set 'normalize.fit=\"\"'), or set normalize.scope "
                + "to none or clip"
        case .emptySplit(let name, let manifest, let failure):
            "\(manifest): no clip\(name.isEmpty ? "" : " of the split '\(name)'") could be read, so there are no statistics "
                + "to normalise with" + (failure.map { "; the first that failed is \($0)" } ?? "")
        case .unusableStatistics(let path, let difference):
            "\(path): its statistics cannot be applied: \(difference); --stats-from needs a file of the same features "
                + "(audio, condition, frame, transform, scale), normalised with normalize.scope: dataset, as these are"
        case .unusableName(let path, let reason): "\(path): \(reason)"
        case .stream(let name, .zipInStream): "\(name): \(ArchiveError.zipInStream), without --tar"
        case .stream(let name, let error): "\(name): \(error)"
        case .noRecordings(let name, let account):
            "\(name): expected a tar with recordings, found \(account.inWords.filesWithoutRecording)"
        case .losses(let account):
            (["--strict: not everything would be used, and no file was written:"]
                + RemarkWords.losses(account).map { "  " + $0.printable }).joined(separator: "\n")
        case .noSampleRate(let manifest, let clips, let failure, let path):
            "\(manifest): none of \(clips) recordings can be opened, and audio.sample_rate is null, so no sample rate is known"
                + (failure.map { "; the first is \(path): \($0.reason)" } ?? "")
        }
    }

    /// The command that completes an interrupted recording, to be copied.
    package static func recovery(of output: String) -> String {
        let isPlain = output.allSatisfy { $0.isLetter || $0.isNumber || "/._-+,:@%".contains($0) }
        return "veery live --recover " + (isPlain ? output : "'\(output.replacing("'", with: "'\\''"))'")
    }
}
