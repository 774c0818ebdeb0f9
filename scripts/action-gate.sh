# What action.yml runs: inputs (INPUT_FILES, INPUT_PACKS, INPUT_FIX) -> arguments of the gate. Patterns are expanded here by the shell's
# globbing alone; nothing of an input is evaluated.
set -euo pipefail
shopt -s nullglob globstar
IFS=
arguments=()

# Each line of $2 is a path or a pattern; each match becomes `$1=PATH`.
add() {
  local pattern path matches
  while read -r pattern; do
    # Without the blanks around it.
    pattern="${pattern#"${pattern%%[![:space:]]*}"}"
    pattern="${pattern%"${pattern##*[![:space:]]}"}"
    [ -n "$pattern" ] || continue
    matches=()
    if [ -f "$pattern" ]; then
      matches=("$pattern")
    else
      for path in $pattern; do
        if [ -f "$path" ]; then matches+=("$path"); fi
      done
    fi
    if [ ${#matches[@]} -eq 0 ]; then
      printf 'No file matches %q.\n' "$pattern" >&2
      exit 2
    fi
    for path in "${matches[@]}"; do arguments+=("$1=$path"); done
  done <<<"$2"
}

add --file "${INPUT_FILES:-}"
add --pack "${INPUT_PACKS:-}"
case "${INPUT_FIX:-false}" in
  true) arguments+=(--fix) ;;
  false | '') ;;
  *)
    echo 'fix is true or false.' >&2
    exit 2
    ;;
esac
if [ ${#arguments[@]} -eq 0 ]; then
  echo 'Give files or packs to check.' >&2
  exit 2
fi
exec node "$(dirname "${BASH_SOURCE[0]}")/verify-citations.mjs" "${arguments[@]}"
