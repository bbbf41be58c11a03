/** Directories that a config of git names for hooks, as it spells them: rather one too many. Pure. */
export const hooksPathsIn = (config: string): string[] =>
  config.split("\n").flatMap((line) => {
    const [, value = ""] = /^\s*(?:\[[^\]]*\]\s*)?hookspath\s*=\s*(.*)$/i.exec(line) ?? [];
    const path = value
      .replace(/\s[#;].*$/, "")
      .trim()
      .replace(/^"(.*)"$/, "$1");
    // What begins at home or at the root is resolved by nobody here, unless it is the workdir's own path.
    return path === "" || path.startsWith("~") ? [] : [path];
  });
