#!/usr/bin/env bash
# Fetches the recordings of the demo and the benchmark into .demo/audio, once.
# Usage: examples/fetch-recordings.sh speech|birds
#
# speech  spoken prompts of a telephone exchange in five languages, from Debian's packages asterisk-core-sounds-*-wav
#         (98 MB), laid out as speech/LANGUAGE/KIND/PROMPT.wav; nothing is installed
# birds   a Bengalese finch's song and a zebra finch's call, from the example data of the Python package vocalpy (1.5 MB),
#         laid out as birds/SPECIES/RECORDING.wav
#
# Status 1: could not be fetched here, for a reason that is printed.
set -euo pipefail
cd "$(dirname "$0")/.."

cache=.demo
audio=$cache/audio
vocalpy_version=0.10.3

say() { printf 'recordings: %s\n' "$*"; }
give_up() {
    printf 'recordings: %s\n' "$*" >&2
    exit 1
}

# Downloads one of Debian's packages into the working directory, without installing it.
download_package() {
    # As root, apt would warn that its sandbox user cannot write here.
    local options=(-q -o APT::Sandbox::User=root -o Acquire::Retries=3)
    apt-get "${options[@]}" download "$1" 2>download.log && return
    say "apt-get could not download $1; updating its package lists"
    if [ "$(id -u)" -eq 0 ]; then
        apt-get -q update || return
    elif command -v sudo >/dev/null; then
        say "running: sudo apt-get update"
        sudo apt-get -q update || return
    fi
    apt-get "${options[@]}" download "$1" 2>download.log && return
    cat download.log >&2
    return 1
}

# fetch_language LANGUAGE CODE
fetch_language() {
    local language=$1 package=asterisk-core-sounds-$2-wav
    local target=$audio/speech/$language work=$cache/download/$2
    [ ! -d "$target" ] || return 0
    say "downloading $package ($language)"
    rm -rf "$work"
    mkdir -p "$work/unpacked" "$work/arranged" "$audio/speech"
    (cd "$work" && download_package "$package") || return
    dpkg-deb -x "$work"/"$package"_*.deb "$work/unpacked" || return
    # Prompts lie in usr/share/asterisk/sounds/VOICE/[KIND/]PROMPT.wav. The kind silence is ten lengths of nothing.
    local voice kind
    for voice in "$work"/unpacked/usr/share/asterisk/sounds/??_??_*; do
        for kind in "$voice"/*/; do
            kind=$(basename "$kind")
            [ "$kind" = silence ] || mv "$voice/$kind" "$work/arranged/$kind"
        done
        mkdir -p "$work/arranged/messages"
        mv "$voice"/*.wav "$work/arranged/messages/"
    done
    # Links could lead out of the folder, or double a clip.
    find "$work/arranged" -type l -exec rm {} +
    [ -n "$(ls -A "$work/arranged")" ] || give_up "no prompts in $package"
    cp "$work/unpacked/usr/share/doc/$package/copyright" "$work/arranged/COPYRIGHT"
    # Last, and in one step: a folder that is there is whole.
    mv "$work/arranged" "$target"
    rm -rf "$work"
}

fetch_speech() {
    local language code
    while read -r language code; do
        [ -d "$audio/speech/$language" ] || command -v apt-get >/dev/null ||
            give_up "the spoken prompts come from Debian's packages, and there is no apt-get here"
        fetch_language "$language" "$code" ||
            give_up "the spoken prompts could not be downloaded (the first time, they come over the network)"
    done <<'LANGUAGES'
english en
french fr
italian it
russian ru
spanish es
LANGUAGES
    rm -rf "$cache/download"
}

fetch_birds() {
    [ ! -d "$audio/birds" ] || return 0
    local python work=$cache/download/birds
    python=$(.ci/venv) || give_up "downloading the bird song needs Python 3 with venv"
    say "downloading the example recordings of vocalpy $vocalpy_version"
    rm -rf "$work"
    mkdir -p "$work" "$audio"
    # The wheel is for any Python; naming one keeps pip from asking whether the one at hand is recent enough.
    PIP_DISABLE_PIP_VERSION_CHECK=1 "$python" -m pip download --quiet --no-deps --only-binary :all: \
        --python-version 3.12 --dest "$work" "vocalpy==$vocalpy_version" ||
        give_up "the bird song could not be downloaded (the first time, it comes over the network)"
    "$python" -m zipfile -e "$work"/vocalpy-*.whl "$work/unpacked"
    local examples=$work/unpacked/vocalpy/examples arranged=$work/arranged
    mkdir -p "$arranged/bengalese-finch" "$arranged/zebra-finch"
    cp "$examples/bl26lb16.wav" "$arranged/bengalese-finch/"
    cp "$examples/bl26lb16.wav.description.txt" "$arranged/bengalese-finch/SOURCE.txt"
    cp "$examples/WhiLbl0010_110411-DC-01.wav" "$arranged/zebra-finch/"
    cp "$examples/WhiLbl0010.description.txt" "$arranged/zebra-finch/SOURCE.txt"
    mv "$arranged" "$audio/birds"
    rm -rf "$cache/download"
}

case ${1-} in
speech) fetch_speech ;;
birds) fetch_birds ;;
*)
    printf 'usage: %s speech|birds\n' "$0" >&2
    exit 64
    ;;
esac
