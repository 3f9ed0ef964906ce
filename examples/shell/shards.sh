#!/usr/bin/env bash
# Extracts features by several processes: in four terminals, or on machines that share a folder and have no scheduler.
#
#   shards.sh SHARDS MANIFEST OUTPUT.h5 [OPTIONS of veery extract]
#
# Start it as often as you like, wherever you like: each process takes the shards that are not done, in an order of its own.
# The process that finds all of them done writes the file. In one terminal, with four processes:
#
#   for i in 1 2 3 4; do shards.sh 64 manifest.csv features.h5 --jobs 1 & done; wait
set -uo pipefail
if [ $# -lt 3 ]; then
    sed -n 's/^#   \(shards.sh SHARDS.*\)/usage: \1/p' "$0" >&2
    exit 64
fi
shards=$1 manifest=$2 output=$3
shift 3
options=("$@")

# What is for all clips is for the command that writes the file, and refused with a shard.
parts=()
while [ $# -gt 0 ]; do
    case $1 in
    --max-failures | --failures-out) shift ;;
    --max-failures=* | --failures-out=*) ;;
    *) parts+=("$1") ;;
    esac
    shift
done

is_done() {
    local folder
    printf -v folder '%s.shards/%05d-of-%05d' "$output" "$1" "$shards"
    [ -d "$folder" ]
}

missing=0
for shard in $(awk -v n="$shards" -v seed="$$$(date +%S)" 'BEGIN { srand(seed); for (i = 1; i <= n; i++) print rand(), i }' |
    sort -n | cut -d ' ' -f 2); do
    [ ! -e "$output" ] || break
    if is_done "$shard"; then continue; fi
    veery extract "$manifest" -o "$output" --shard "$shard/$shards" --quiet ${parts[@]+"${parts[@]}"}
    status=$?
    # Ctrl-C ends the loop, too; 75: the machine failed; above 128: killed. Another process, or a later one, tries again.
    if [ "$status" -eq 130 ] || [ "$status" -eq 143 ]; then exit "$status"; fi
    if [ "$status" -eq 75 ] || [ "$status" -gt 128 ]; then
        missing=$((missing + 1))
    elif [ "$status" -ne 0 ]; then
        # It would fail again.
        exit "$status"
    fi
done
if [ "$missing" -gt 0 ]; then
    echo "$missing shards failed on this machine: start $0 again" >&2
    exit 75
fi

# All are done, by this process or others, unless the file itself is there: then this says so.
# mkdir lets one process through.
if mkdir "$output.writing" 2>/dev/null; then
    trap 'rmdir "$output.writing"' EXIT
    veery extract "$manifest" -o "$output" ${options[@]+"${options[@]}"}
else
    echo "another process is writing $output; if none is, delete the folder $output.writing and start $0 again" >&2
    [ -e "$output" ] || exit 75
fi
