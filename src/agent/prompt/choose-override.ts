import type { PromptFacts } from "./prompt.ts";

/** What replaces the identity part: the config's text, else the workdir's `.agent/system-prompt.md`, else nothing. */
export function chooseOverride(words: {
  config: string | undefined;
  workspace: string | undefined;
}): PromptFacts["override"] {
  for (const source of ["config", "workspace"] as const) {
    const text = words[source]?.trim();
    if (text) return { text, source };
  }
  return undefined;
}
