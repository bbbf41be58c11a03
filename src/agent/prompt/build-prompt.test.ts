import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildPrompt, needsOf, toolFilterOf } from "./build-prompt.ts";
import {
  contextStrategies,
  sectionNames,
  type ContextOptions,
  type PromptFacts,
  type PromptText,
} from "./prompt.ts";
import { bareFacts, optionsOf, richFacts, toolsNamed } from "./testing/sample-facts.ts";

const namesIn = (facts: PromptFacts, options?: ContextOptions) =>
  buildPrompt(facts, options).parts.map((part) => part.name);
const custom = (changes: Partial<ContextOptions> = {}) => optionsOf({ strategy: "custom", ...changes });
const tokensIn = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);

describe("the presets", () => {
  it("CTX-01 full has the seven sections, and what the owner brought, in their fixed order", () => {
    expect(namesIn(richFacts(), optionsOf())).toEqual(sectionNames);
    const seven = ["identity", "time", "skills", "recall", "messaging", "tooling", "workspace"] as const;
    expect(namesIn(richFacts())).toEqual(expect.arrayContaining([...seven]));
  });

  it("CTX-02 minimal is tooling and workspace, and the rules", () => {
    const minimal = optionsOf({ strategy: "minimal" });
    expect(namesIn(richFacts(), minimal)).toEqual(["tooling", "workspace", "rules"]);
    expect(namesIn(bareFacts(), minimal)).toEqual(["tooling", "workspace"]);
  });

  it("CTX-02 none is exactly one line of identity", () => {
    const { text } = buildPrompt(richFacts({ rules: [] }), optionsOf({ strategy: "none" }));
    expect(text).toMatch(/^You are Molly, the personal assistant of Ada\. [^\n]+$/);
  });

  it("CTX-03 tells who it is, where it works, the time zone and how tools are used", () => {
    expect(namesIn(bareFacts())).toEqual(["identity", "time", "messaging", "tooling", "workspace", "recall"]);
  });

  it("CTX-07 lite is identity, time and the rules", () => {
    expect(namesIn(richFacts(), optionsOf({ strategy: "lite" }))).toEqual(["identity", "time", "rules"]);
  });

  it("CTX-07 custom that leaves nothing out is full", () => {
    expect(buildPrompt(richFacts(), custom())).toEqual(buildPrompt(richFacts(), optionsOf()));
  });

  it("CTX-09 one door makes every prompt, and without options it is full", () => {
    expect(buildPrompt(richFacts())).toEqual(buildPrompt(richFacts(), optionsOf()));
  });

  it.each(contextStrategies)(
    "shows the standing rules under %s, also when all else is left out",
    (strategy) => {
      const options = optionsOf({ strategy, includeMemory: false, includeRuntime: false });
      const { text } = buildPrompt(richFacts(), options);
      expect(text).toContain("1. (enforced) Never delete mail.");
      expect(text).toContain("4. (reminder) Say please.");
    },
  );
});

describe("CTX-08 the options of custom", () => {
  const skillsIn = (options: ContextOptions) =>
    buildPrompt(richFacts(), options).text.match(/^- (\w+):/gm) ?? [];

  it("shows only the skills that are included", () => {
    expect(skillsIn(custom({ includeSkills: ["weather"] }))).toEqual(["- weather:"]);
  });

  it("does not show those that are excluded, even where they are included too", () => {
    expect(skillsIn(custom({ excludeSkills: ["weather"] }))).toEqual(["- brew:"]);
    expect(skillsIn(custom({ includeSkills: ["weather"], excludeSkills: ["weather"] }))).toEqual([]);
  });

  it("leaves out both memories, and nothing else", () => {
    const without = namesIn(richFacts(), custom({ includeMemory: false }));
    expect(without).toEqual(sectionNames.filter((name) => !name.endsWith("memory")));
  });

  it("leaves out workdir and agent, and nothing else", () => {
    const without = namesIn(richFacts(), custom({ includeRuntime: false }));
    expect(without).toEqual(sectionNames.filter((name) => name !== "workspace"));
  });

  it("hands the limits of tools to the gate", () => {
    const limits = { includeTools: ["group:fs"], excludeTools: ["list"] };
    expect(toolFilterOf(custom(limits))).toMatchObject({ only: ["group:fs"], not: ["list"] });
    expect(toolFilterOf(optionsOf(limits))).toMatchObject({ only: [], not: [] });
  });

  it("CTX-07 shows few tools under lite, and others where the config names them", () => {
    const { only, not, source } = toolFilterOf(optionsOf({ strategy: "lite" }));
    expect(only).toEqual(expect.arrayContaining(["time_now", "read", "web_search"]));
    expect(only.length).toBeLessThan(10);
    expect({ not, source }).toEqual({ not: [], source: "context lite" });
    const named = { strategy: "lite", includeTools: ["group:fs"], excludeTools: ["list"] } as const;
    expect(toolFilterOf(optionsOf(named))).toEqual({
      only: ["group:fs"],
      not: ["list"],
      source: "context.includeTools",
    });
  });

  it.each(["full", "minimal", "none", "lite"] as const)("changes nothing under %s", (strategy) => {
    const options = {
      strategy,
      includeSkills: ["none"],
      excludeSkills: ["brew"],
      includeMemory: false,
      includeRuntime: false,
    };
    expect(buildPrompt(richFacts(), optionsOf(options))).toEqual(
      buildPrompt(richFacts(), optionsOf({ strategy })),
    );
    expect(needsOf(optionsOf(options))).toEqual(needsOf(optionsOf({ strategy })));
  });
});

describe("what has to be read", () => {
  it("CTX-12 is nothing for lite, minimal and none", () => {
    const nothing = { files: false, memory: false, skills: false };
    for (const strategy of ["lite", "minimal", "none"] as const)
      expect(needsOf(optionsOf({ strategy }))).toEqual(nothing);
  });

  it("is everything for full, and for custom what the options leave", () => {
    expect(needsOf(optionsOf())).toEqual({ files: true, memory: true, skills: true });
    expect(needsOf(custom({ includeMemory: false }))).toEqual({ files: true, memory: false, skills: true });
  });

  it("is all that a prompt uses: what need not be read changes nothing", () => {
    fc.assert(
      fc.property(someFacts, someOptions, (facts, options) => {
        const needs = needsOf(options);
        const read = {
          ...facts,
          files: needs.files ? facts.files : [],
          skills: needs.skills ? facts.skills : [],
          memory: needs.memory ? facts.memory : [],
          sessionMemory: needs.memory ? facts.sessionMemory : undefined,
        };
        expect(buildPrompt(read, options)).toEqual(buildPrompt(facts, options));
      }),
    );
  });
});

describe("CTX-10 the same facts", () => {
  it("give the same bytes, part by part, in the order of the sections", () => {
    fc.assert(
      fc.property(someFacts, someOptions, (facts, options) => {
        const prompt = buildPrompt(facts, options);
        expect(buildPrompt(structuredClone(facts), structuredClone(options))).toEqual(prompt);
        expect(prompt.text).toBe(prompt.parts.map((part) => part.text).join("\n\n"));
        const places = prompt.parts.map((part) => sectionNames.indexOf(part.name));
        expect(places).toEqual(places.toSorted((one, other) => one - other));
        expect(prompt.parts.every((part) => part.text !== "" && part.why.key)).toBe(true);
      }),
    );
  });

  it("give the same bytes whatever else a strategy does not use", () => {
    const used = {
      minimal: ["tools", "channel", "workdir", "agentId", "rules"],
      none: ["identity", "override", "rules"],
      lite: ["identity", "override", "timezone", "rules"],
    } as const;
    const strategy = fc.constantFrom("minimal" as const, "none" as const, "lite" as const);
    fc.assert(
      fc.property(someFacts, someFacts, strategy, (facts, others, strategy) => {
        const kept = Object.fromEntries(used[strategy].map((key) => [key, facts[key]]));
        const changed = { ...others, ...kept } as PromptFacts;
        const options = optionsOf({ strategy });
        expect(buildPrompt(changed, options).text).toBe(buildPrompt(facts, options).text);
      }),
    );
  });

  it("give the same bytes in whatever order tools were registered", () => {
    const [one, other] = [toolsNamed("read", "list", "exec"), toolsNamed("exec", "read", "list")];
    expect(buildPrompt(bareFacts({ tools: one }))).toEqual(buildPrompt(bareFacts({ tools: other })));
  });
});

describe("what it costs", () => {
  it("stays below 350 tokens in a new workdir, and below 700 with a channel, a group and memory tools", () => {
    expect(tokensIn(buildPrompt(bareFacts()).text)).toBeLessThan(350);
    const { tools } = richFacts();
    const all = [...bareFacts().tools, ...tools, ...toolsNamed("message", "memory_get", "exec", "web_fetch")];
    const busy = bareFacts({ channel: "telegram", chatType: "group", tools: all });
    expect(tokensIn(buildPrompt(busy).text)).toBeLessThan(700);
  });
});

const words = fc.string({ unit: "grapheme", maxLength: 30 });
const someText: fc.Arbitrary<PromptText> = fc.record({ name: words, text: words, truncated: fc.boolean() });
const someFacts: fc.Arbitrary<PromptFacts> = fc.record({
  identity: fc.record({
    name: fc.option(words, { nil: undefined }),
    user: fc.option(words, { nil: undefined }),
  }),
  override: fc.option(
    fc.record({ text: words, source: fc.constantFrom("config" as const, "workspace" as const) }),
    { nil: undefined },
  ),
  agentId: words,
  workdir: words,
  timezone: words,
  channel: fc.option(words, { nil: undefined }),
  chatType: fc.constantFrom("main" as const, "direct" as const, "group" as const),
  tools: fc
    .subarray(["read", "list", "memory_search", "memory_append", "result_read", "message"])
    .map((names) => toolsNamed(...names)),
  skills: fc.array(fc.record({ name: words, description: words, path: words }), { maxLength: 4 }),
  files: fc.array(someText, { maxLength: 3 }),
  memory: fc.array(someText, { maxLength: 3 }),
  sessionMemory: fc.option(someText, { nil: undefined }),
  rules: fc.array(fc.record({ id: fc.nat(), text: words, enforced: fc.boolean() }), { maxLength: 4 }),
});
const someOptions: fc.Arbitrary<ContextOptions> = fc.record({
  strategy: fc.constantFrom(...contextStrategies),
  includeSkills: fc.array(words, { maxLength: 2 }),
  excludeSkills: fc.array(words, { maxLength: 2 }),
  includeTools: fc.array(words, { maxLength: 2 }),
  excludeTools: fc.array(words, { maxLength: 2 }),
  includeMemory: fc.boolean(),
  includeRuntime: fc.boolean(),
});

it("tells what was left out of a part, and of one that is empty by it, and the text has nothing of it", () => {
  const leftOut = { files: [{ name: "SOUL.md", reason: "is odd" }], memory: [{ name: "x", reason: "too" }] };
  const facts = bareFacts({ memory: [{ name: "MEMORY.md", text: "Tea.", truncated: false }] });
  const { text, parts } = buildPrompt({ ...facts, leftOut });
  expect(text).toBe(buildPrompt(facts).text);
  expect(parts.filter((part) => part.leftOut).map((part) => [part.name, part.text === ""])).toEqual([
    ["files", true],
    ["memory", false],
  ]);
  const lite = buildPrompt({ ...facts, leftOut }, optionsOf({ strategy: "lite" }));
  expect(lite.parts.some((part) => part.leftOut)).toBe(false);
});
