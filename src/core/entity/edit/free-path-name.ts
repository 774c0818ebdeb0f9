/**
 * One segment of a new path: which names a checkout may take for the same, and which it cannot make as they are spelled.
 * Follows Microsoft's "Naming Files, Paths, and Namespaces" and Unicode's full case folding. Says nothing about names that
 * are in the repository already: those are left as they are.
 */

/**
 * Names that fold alike may be one name. JavaScript has no case folding, and `toLowerCase` alone keeps apart what folds
 * together (`ς` and `σ`, `ſ` and `s`). Lower, upper and lower again joins all that any of the file systems does, and a few
 * that only some join (`ß` and `ss`): refusing one name too many costs another name, one too few costs a file. Windows
 * drops dots and blanks at the end, HFS+ characters that show nothing.
 */
export const folded = (name: string): string =>
  name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[. ]+$/, "")
    .normalize("NFC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize("NFC");

/** Windows sees the device whatever extension follows, and takes superscript digits for digits. */
const DEVICE = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** Why a new file or directory is not given that name, to be read after the name; null when it may have it. */
export function nameFault(name: string): string | null {
  if (/[. ]$/.test(name)) return "ends in a dot or a blank, which Windows drops";
  if (DEVICE.test(name)) return "names a device on Windows, not a file";
  if (/[<>:"|?*\\\p{Cc}]/u.test(name)) return "holds a character that Windows refuses in names";
  if (/^[^.]*~\d+(?:\.|$)/.test(name)) return "reads like the short name that Windows gives to another file";
  if (name.startsWith("-")) return "begins with a dash, which command lines take for an option";
  return null;
}
