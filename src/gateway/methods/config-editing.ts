import { sayProblem } from "../../config/loaded-config.ts";
import { createSay } from "../../infra/texts.ts";
import type { Language } from "../../infra/texts/table.ts";
import type { ControlApiParts } from "./control-parts.ts";

/** By which whatever changes the config does it: one editor, and one way in which a running gateway takes it up. */
export function configEditing(parts: ControlApiParts) {
  const { openedHome, environment, running } = parts;
  const inLanguage = (language: Language | undefined) => (language ? createSay(language) : parts.say);
  const editor = {
    home: openedHome.home,
    secrets: openedHome.foundation.secrets,
    clock: openedHome.clock,
    author: "user" as const,
    environment,
  };
  const takeUp = async (language: Language | undefined) => {
    if (!running) return { inForce: null, problems: [] };
    const problems = await running.reload();
    const words = problems.map((problem) => sayProblem(problem, inLanguage(language)));
    return { inForce: problems.length === 0, problems: words };
  };
  return { inLanguage, editor, takeUp };
}
