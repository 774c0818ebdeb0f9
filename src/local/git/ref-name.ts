// Which names may be looked up as refs: the rules of git-check-ref-format(1).
// Owns: validation only. A name that fails never reaches git, so no glob and no revision syntax does.

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what the rule forbids
const FORBIDDEN = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|^[./]|[./]$|^@$/;

/** Whether `name` could be (part of) a ref's name, as in `main`, `feature/x` or `refs/heads/main`. */
export function isRefName(name: string): boolean {
  return name.length > 0 && !FORBIDDEN.test(name);
}
