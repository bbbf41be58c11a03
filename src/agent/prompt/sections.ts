/** Every section by its name: a new one is a name in `sectionNames` and a line here. */
import { identity, messaging, recall, time, tooling, workspace } from "./conduct-sections.ts";
import { files, memory, rules, sessionMemory, skills } from "./content-sections.ts";
import type { Section, SectionName } from "./prompt.ts";

export const sections: Record<SectionName, Section> = {
  identity,
  time,
  messaging,
  tooling,
  workspace,
  skills,
  recall,
  files,
  rules,
  memory,
  "session-memory": sessionMemory,
};
