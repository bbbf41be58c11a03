/** The display name of a file; before writing it to disk use `safeFileName` as well. */

const longestName = 120;

/** Without directories, without characters that hide or turn round what follows them; undefined when nothing is left. */
export function tidyMediaName(name: string): string | undefined {
  const last = bounded(name).toWellFormed().split(/[/\\]/).at(-1) ?? "";
  // `photo<right-to-left override>gnp.exe` reads as a picture.
  const visible = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .normalize("NFC")
    .replaceAll(/\s+/g, " ");
  const trimmed = visible.replaceAll(/^[ .~-]+|[ .]+$/g, "");
  return trimmed === "" ? undefined : cut(trimmed);
}

/** Nobody's name; only cheaper to go through. */
const bounded = (name: string): string =>
  name.length <= 2000 ? name : name.slice(0, 1000) + name.slice(-1000);

/** In the middle: the end tells what it is opened with. */
function cut(name: string): string {
  const letters = Array.from(name);
  if (letters.length <= longestName) return name;
  return [...letters.slice(0, longestName - 21), "…", ...letters.slice(-20)].join("");
}
