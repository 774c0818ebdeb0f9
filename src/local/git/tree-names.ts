// Which paths a tree may be given through the API: what `git fsck` calls an error is refused before it is made.
// Owns: the names of git's own folder in all spellings that a file system may take for it (git's path.c, fsck.c).

// Code points that HFS+ passes over in names.
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const GIT_FOLDER = /^(?:\.git|git~1)[ .]*(?::.*)?$/i;

const isGitFolder = (name: string): boolean =>
  name
    .replace(IGNORED, "")
    .split("\\")
    .some((part) => GIT_FOLDER.test(part));

/** `/`-separated, relative, without empty or peculiar segments. */
export function isTreePath(path: string): boolean {
  return path.split("/").every((name) => {
    return name !== "" && name !== "." && name !== ".." && !name.includes("\0") && !isGitFolder(name);
  });
}
