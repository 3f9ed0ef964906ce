__veery_join_words() {
    local -a words=()
    local -i index current=0
    local rest="${COMP_LINE}" piece gap joined=''
    for ((index = 0; index < ${#COMP_WORDS[@]}; index++)); do
        piece="${COMP_WORDS[index]}"
        gap="${rest%%[![:space:]]*}"
        rest="${rest#"${gap}"}"
        rest="${rest#"${piece}"}"
        if ((index > 0)) && [[ -z "${gap}" && ("${piece}" == [=:@]* || "${COMP_WORDS[index - 1]}" == *[=:@]) ]]; then
            ((index == COMP_CWORD)) && joined="${words[${#words[@]} - 1]}"
            words[${#words[@]} - 1]+="${piece}"
        else
            words+=("${piece}")
        fi
        ((index == COMP_CWORD)) && current=$((${#words[@]} - 1))
    done

    # What precedes, in the word, the part that bash completes.
    if [[ "${COMP_WORDS[COMP_CWORD]}" == *[=:@] && -z "${2}" ]]; then
        joined+="${COMP_WORDS[COMP_CWORD]}"
    fi
    local cur="${joined}${2}"
    # --option=value is the option and its value.
    if [[ "${joined}" == --*=* ]]; then
        words=("${words[@]::current}" "${cur%%=*}" "${words[current]#*=}" "${words[@]:current + 1}")
        current+=1
        cur="${cur#*=}"
        joined="${joined#*=}"
    fi
    # Without quotation marks, of which bash leaves out some by itself.
    if [[ "${COMP_WORDS[COMP_CWORD]}" != [\"\']* ]]; then
        cur="${cur//\\/}"
        joined="${joined//\\/}"
    elif [[ "${COMP_WORDS[COMP_CWORD]}" == "${2}"* ]]; then
        cur="${cur#?}"
    fi
    # compgen removes one level of quoting by itself.
    cur="${cur//\\/\\\\}"
    cur="${cur//\"/\\\"}"
    cur="${cur//\'/\\\'}"

    local -a COMP_WORDS=("${words[@]}")
    local -i COMP_CWORD=current
    _veery "${1}" "${cur}" "${words[current - 1]}"

    for index in "${!COMPREPLY[@]}"; do
        COMPREPLY[index]="${COMPREPLY[index]#"${joined}"}"
    done
    # The word goes on after key= and after a part of a path.
    if [[ "${#COMPREPLY[@]}" -eq 1 && "${COMPREPLY[0]}" == *[=/,] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}

complete -o filenames -F __veery_join_words veery
