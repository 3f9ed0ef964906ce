#!/usr/bin/env bash
# From recordings to tensors and pictures: builds veery, fetches speech in five languages and the song of two finches
# (once, into .demo), and shows every command as you would type it.
#
# AUDIO=DIR examples/demo.sh uses your own recordings instead; the label of a file is the name of its folder.
set -euo pipefail
audio=${AUDIO:-}
# The folder is relative to the user's working directory, not to the project.
if [ -n "$audio" ]; then
    [ -d "$audio" ] || {
        printf 'demo: AUDIO=%s is not a folder\n' "$audio" >&2
        exit 1
    }
    audio=$(cd "$audio" && pwd)
fi
cd "$(dirname "$0")/.."

veery=.build/release/veery
out=.demo/${audio:+own-}out
# The shell's time prints seconds alone.
TIMEFORMAT=%R
if [ -t 1 ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi

heading() { printf '\n%s== %s%s\n' "$bold" "$*" "$plain"; }

# A command as you would type it.
typed() {
    local word line='$'
    for word in "$@"; do
        case $word in
        *[!A-Za-z0-9_./:=,%+-]* | '') line="$line '$word'" ;;
        *) line="$line $word" ;;
        esac
    done
    printf '%s' "$line"
}

# Shows a command so that it can be copied, then runs it.
show() {
    printf '\n%s%s%s\n' "$bold" "$(typed "$@")" "$plain"
    "$@"
}

# The same, with its output in a file.
show_into() {
    local file=$1
    shift
    printf '\n%s%s > %s%s\n' "$bold" "$(typed "$@")" "$file" "$plain"
    "$@" >"$file"
}

# The same, and leaves the seconds it took in $took.
took=''
show_timed() {
    local clock=$out/.took status=0
    { time show "$@" 2>&3 || status=$?; } 3>&2 2>"$clock"
    took=$(cat "$clock")
    rm -f "$clock"
    return "$status"
}

# Ids of the manifest's clips: column id or, without one, the path without its extension.
clip_ids() {
    "$python" - "$1" <<'PYTHON'
import csv, os, sys
with open(sys.argv[1], newline="", encoding="utf-8-sig") as file:
    for row in csv.DictReader(file):
        print(row.get("id") or os.path.splitext(row["path"])[0])
PYTHON
}

# The first id that contains the text, or else the first id.
pick() {
    clip_ids "$1" | awk -v text="$2" 'NR == 1 { first = $0 } !found && index($0, text) { found = 1; print } END { if (!found) print first }'
}

heading 'Building veery'
.ci/setup
show .ci/build
python=$(.ci/venv)
# Deleted first: otherwise extract would find its files up to date.
rm -rf "$out"
mkdir -p "$out"
times='' manifests=''

if [ -n "$audio" ]; then
    heading "The recordings in $audio"
    show "$veery" crawl "$audio" -o "$out/audio.csv"
    show_timed "$veery" extract "$out/audio.csv" -o "$out/audio.h5" --max-failures 100%
    times="  $out/audio.h5: $took s"
    show "$veery" inspect "$out/audio.h5"
    show "$veery" render "$out/audio.h5" --clip "$(pick "$out/audio.csv" '')" -o "$out/audio-clip.png"
else
    heading 'Downloading recordings'
    speech=true birds=true
    examples/fetch-recordings.sh speech || speech=false
    examples/fetch-recordings.sh birds || birds=false
    if ! $speech && ! $birds; then
        printf 'demo: no recordings could be downloaded; to use your own:  make demo AUDIO=DIR\n' >&2
        exit 1
    fi
    $speech || printf 'demo: continuing without speech; to use your own recordings:  make demo AUDIO=DIR\n' >&2
    $birds || printf 'demo: continuing without birds; to use your own recordings:  make demo AUDIO=DIR\n' >&2
fi

if [ -z "$audio" ] && $speech; then
    heading 'Speech in five languages: log-mel, with the language as the label'
    manifests="$manifests .demo/audio/speech.csv"
    rm -f .demo/audio/speech.csv
    show "$veery" crawl .demo/audio/speech -o .demo/audio/speech.csv --label-from '^(?<label>[^/]+)/(?<kind>[^/]+)/'
    # One of the Russian prompts is a WAV file without a sample: a result like any other, listed in the file.
    show_timed "$veery" extract .demo/audio/speech.csv -o "$out/speech.h5" \
        --config examples/telephone-speech.yaml --max-failures 1%
    times="$times
  $out/speech.h5: $took s"
    show "$veery" inspect "$out/speech.h5"
    show "$veery" inspect "$out/speech.h5" --verify
    show "$veery" inspect "$out/speech.h5" --html "$out/speech.html" --root .demo/audio
    show "$veery" inspect "$out/speech.h5" --plots "$out/speech-plots" --root .demo/audio
    show "$veery" render "$out/speech.h5" --sheet -o "$out/speech-sheet.png"
    show "$veery" render "$out/speech.h5" \
        --clip "$(pick .demo/audio/speech.csv english/messages/demo-thanks)" -o "$out/speech.png"
    show "$veery" render "$out/speech.h5" --across 2 -o "$out/speech-pair.svg" \
        --clip "$(pick .demo/audio/speech.csv english/messages/demo-thanks)" \
        --clip "$(pick .demo/audio/speech.csv french/messages/demo-thanks)"
fi

if [ -z "$audio" ] && $birds; then
    song=.demo/audio/birds/bengalese-finch/bl26lb16.wav
    other=.demo/audio/birds/zebra-finch/WhiLbl0010_110411-DC-01.wav
    heading 'Bird song: its spectrogram, a scrolling DCT spectrogram and a log-mel spectrogram, drawn from the recording'
    show "$veery" render "$song" -o "$out/song.png"
    show "$veery" render "$song" --preset scrolling-dct --colors false-color -o "$out/song-dct.png"
    show "$veery" render "$song" --preset log-mel --set audio.sample_rate=32000 --set transform.high=16000 \
        --set frame.length=1024 --set frame.fft_length=1024 -o "$out/song-log-mel.png"
    show "$veery" render "$song" --waveform --axis log --band 300-16000 --colors magma --theme dark -o "$out/song-log.png"
    # Labels as Audacity exports them: start, end, name, and a line of frequencies.
    printf '1.95\t3.60\tbout 1\n\\\t500\t9000\n3.78\t4.72\tbout 2\n\\\t500\t14000\n' >"$out/song-labels.txt"
    show "$veery" render "$song" --preset librosa-log-mel --annotations "$out/song-labels.txt" -o "$out/song-labels.png"
    show "$veery" render "$song" --preset musical-spectrum -o "$out/song-notes.pdf"
    show "$veery" render "$song" --preset scrolling-dct --colors false-color --plain --columns 768 -o "$out/song-768.png"
    heading 'Live: veery live records what veery extract would compute'
    show "$veery" live --file "$song" --speed 0 --preset scrolling-dct --record "$out/live.h5" </dev/null
    # On a terminal: the five displays, a few seconds each.
    speed=0
    if [ -t 1 ]; then
        speed=3
        show "$veery" live --file "$song" --speed 2 --preset scrolling-dct
        show "$veery" live --file "$song" --speed 3 --preset musical-spectrum
        show "$veery" live --file "$song" --file "$other" --speed 3 --preset mixer-fft
        show "$veery" live --file "$song" --speed 3 --preset live-waveform
    fi
    show_into "$out/song-band.wav" "$veery" live --file "$song" --speed "$speed" --band-pass 1000-6000
    heading 'The same birds in a file, each at 32 kHz'
    manifests="$manifests .demo/audio/birds.csv"
    rm -f .demo/audio/birds.csv
    show "$veery" crawl .demo/audio/birds -o .demo/audio/birds.csv
    show_timed "$veery" extract .demo/audio/birds.csv -o "$out/birds.h5" \
        --preset scrolling-dct --set audio.sample_rate=32000
    times="$times
  $out/birds.h5: $took s"
    show "$veery" inspect "$out/birds.h5"
fi

heading 'Done'
printf 'Wall time of the extractions:\n%s\n' "${times#
}"
printf 'Results:\n'
for file in "$out"/* $manifests; do
    if [ -d "$file" ]; then size=$(cat "$file"/* | wc -c); else size=$(wc -c <"$file"); fi
    printf '  %9s  %s\n' "$(awk -v size="$size" \
        'BEGIN { if (size < 999950) printf "%.1f kB", size / 1e3; else printf "%.1f MB", size / 1e6 }')" "$file"
done
if [ -z "$audio" ]; then
    printf 'Recordings in .demo/audio, and their licences:\n'
    if $speech; then
        cat <<'TEXT'
  speech: Debian's packages asterisk-core-sounds-*-wav; whole texts in .demo/audio/speech/*/COPYRIGHT
    english, spanish  Allison Smith    CC BY-SA 3.0
    french            June Wallack     CC BY-SA 3.0
    italian           Carlo Flora      CC BY 3.0
    russian           Maxim Topal      CC BY 3.0
TEXT
    fi
    if $birds; then
        cat <<'TEXT'
  birds: example data of the Python package vocalpy; sources in .demo/audio/birds/*/SOURCE.txt
    bengalese-finch   Nicholson, Queen, Sober: Bengalese Finch song repository, CC BY 4.0
                      https://doi.org/10.6084/m9.figshare.4805749.v9
    zebra-finch       Elie, Theunissen: Vocal repertoires from adult and chick, male and female zebra finches
                      CC BY 4.0, https://doi.org/10.6084/m9.figshare.11905533.v1
TEXT
    fi
fi
