import type { PromptFacts } from "./prompt.ts";

/** Whose words take the place of the identity part: the config's, else those of the workdir's `.agent/system-prompt.md`, else nobody's. */
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
