/**
 * The prompt of a request. A strategy is a set of sections in one fixed order, made of the facts alone: the same
 * facts give the same bytes, and an unused fact changes nothing.
 */
import {
  sectionNames,
  type ContextOptions,
  type ContextStrategy,
  type Prompt,
  type PromptFacts,
  type SectionName,
} from "./prompt.ts";
import { sections } from "./sections.ts";
import { why } from "./why.ts";

/** Without options: everything. */
export function buildPrompt(facts: PromptFacts, options: ContextOptions = everything): Prompt {
  const wanted = sectionsOf(options);
  const shown = options.strategy === "custom" ? { ...facts, skills: skillsOf(facts, options) } : facts;
  const parts = sectionNames.flatMap((name) => {
    if (!wanted.has(name)) return [];
    const { [name]: leftOut = [] } = shown.leftOut ?? {};
    const part = sections[name](shown);
    if (leftOut.length > 0) return [{ name, ...(part ?? nothing), leftOut }];
    return part ? [{ name, ...part }] : [];
  });
  const texts = parts.map((part) => part.text).filter((text) => text !== "");
  return { text: texts.join("\n\n"), parts };
}

/** What has to be read for the prompt; the rest may be left empty in the facts. `memory` is that of the session too. */
export function needsOf(options: ContextOptions): { files: boolean; memory: boolean; skills: boolean } {
  const wanted = sectionsOf(options);
  return { files: wanted.has("files"), memory: wanted.has("memory"), skills: wanted.has("skills") };
}

/** Names and groups that limit the tools of the request, and where the limit comes from. Empty lists limit nothing. */
export function toolFilterOf(options: ContextOptions): { only: string[]; not: string[]; source: string } {
  const { strategy, includeTools, excludeTools } = options;
  const source = "context.includeTools";
  if (strategy !== "custom" && strategy !== "lite") return { only: [], not: [], source };
  const not = [...excludeTools];
  if (strategy === "lite" && includeTools.length === 0)
    return { only: [...toolsOfLite], not, source: "context lite" };
  return { only: [...includeTools], not, source };
}

/** What a simple question needs: every tool that is shown costs words in every request. */
const toolsOfLite = [
  "time_now",
  "read",
  "list",
  "search",
  "memory_search",
  "web_search",
  "result_read",
  "recall",
];

const nothing = { text: "", why: why("prompt.nothing") };

const everything: ContextOptions = {
  strategy: "full",
  includeSkills: [],
  excludeSkills: [],
  includeTools: [],
  excludeTools: [],
  includeMemory: true,
  includeRuntime: true,
};

const all: ReadonlySet<SectionName> = new Set(sectionNames);

const fixedSets: Record<Exclude<ContextStrategy, "custom">, ReadonlySet<SectionName>> = {
  full: all,
  minimal: new Set<SectionName>(["tooling", "workspace", "rules"]),
  none: new Set<SectionName>(["identity", "rules"]),
  lite: new Set<SectionName>(["identity", "time", "rules"]),
};

function sectionsOf({ strategy, includeMemory, includeRuntime }: ContextOptions): ReadonlySet<SectionName> {
  if (strategy !== "custom") return fixedSets[strategy];
  return all.difference(
    new Set<SectionName>([
      ...(includeMemory ? [] : (["memory", "session-memory"] as const)),
      ...(includeRuntime ? [] : (["workspace"] as const)),
    ]),
  );
}

const skillsOf = ({ skills }: PromptFacts, { includeSkills, excludeSkills }: ContextOptions) =>
  skills.filter(
    ({ name }) =>
      (includeSkills.length === 0 || includeSkills.includes(name)) && !excludeSkills.includes(name),
  );
