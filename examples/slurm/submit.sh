#!/usr/bin/env bash
# Extracts features on a Slurm cluster: submits an array job that computes shards, and a job that then writes the file.
#
#   submit.sh SHARDS MANIFEST OUTPUT.h5 [OPTIONS of veery extract]
#
# merge.sbatch runs this again for shards that are missing, up to VEERY_ROUNDS times in all. Shards that are done are kept.
set -euo pipefail
if [ $# -lt 3 ]; then
    sed -n 's/^#   /usage: /p' "$0" >&2
    exit 64
fi
shards=$1 output=$3
VEERY_SLURM=$(cd "$(dirname "$0")" && pwd)
export VEERY_SLURM VEERY_ROUND=${VEERY_ROUND:-1} VEERY_ROUNDS=${VEERY_ROUNDS:-4}
[ "$VEERY_ROUND" -gt 1 ] || rm -f "$output.stop"

# Where an array may not be as large as that, a task computes several shards: task t of k computes t, t + k, t + 2k ...
limit=$(scontrol show config | awk '$1 == "MaxArraySize" { print $3 - 1 }')
tasks=$((shards < limit ? shards : limit))
missing=''
for ((task = 1; task <= tasks; task++)); do
    for ((shard = task; shard <= shards; shard += tasks)); do
        printf -v folder '%s.shards/%05d-of-%05d' "$output" "$shard" "$shards"
        if [ ! -d "$folder" ]; then
            missing=$missing,$task
            break
        fi
    done
done

# Not afterok: a task that failed is no reason to wait for ever.
after=()
if [ -n "$missing" ]; then
    [ "$tasks" -gt 1 ] && [ "$(tr -cd , <<<"$missing" | wc -c)" -eq "$tasks" ] && missing=,1-$tasks
    array=$(sbatch --parsable --array="${missing#,}" "$VEERY_SLURM/shards.sbatch" "$tasks" "$@")
    after=(--dependency="afterany:$array")
fi
merge=$(sbatch --parsable "${after[@]}" "$VEERY_SLURM/merge.sbatch" "$@")
echo "round $VEERY_ROUND of $VEERY_ROUNDS: shards by job ${array:-none}, the file by job $merge; to stop all: scancel $merge ${array:-}"
