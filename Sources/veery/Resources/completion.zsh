__veery_complete() {
    local -ar open=("${(M)@:#(*[=/,]|*[=/,]:*)}")
    local -ar closed=("${@:#(|:*|*[=/,]|*[=/,]:*)}")
    local -ar empty_completions=("${(M)@:#(|:*)}")
    _describe -V '' open -S '' -- closed -- empty_completions -P $'\'\''
}
