import { Type } from "typebox";
import { defaultConfig } from "../default-config.ts";
import { choice, count, flag, listedTexts, secretText, section, texts } from "./keys.ts";

const { tools, memory } = defaultConfig;

export const toolsSection = section("What the assistant can do.", {
  profile: Type.Optional(
    choice("Named set of tools; without one the edition decides.", [
      "minimal",
      "coding",
      "messaging",
      "full",
    ]),
  ),
  allow: texts("Only these tools and groups, where any are named; deny wins.", { default: tools.allow }),
  deny: texts("Tools and groups that are never allowed; deny wins.", { default: tools.deny }),
  visibility: Type.Array(
    section("Tools that are there only for some.", {
      tools: texts("Names and groups of tools."),
      channels: Type.Optional(texts("Only on these channels.")),
      chats: Type.Optional(texts('Only in these chats, as "channel:id" or the id alone.')),
      roles: Type.Optional(
        listedTexts("Only for people with one of these roles; peer is whoever has no other.", [
          "owner",
          "admin",
          "developer",
          "viewer",
          "auditor",
          "peer",
        ]),
      ),
    }),
    {
      description: "Where and for whom tools are shown; what no entry names is shown everywhere.",
      default: tools.visibility,
    },
  ),
  result: section("How much of a tool's result a request shows; the whole is kept.", {
    maxChars: count("Characters of a result.", { minimum: 200, default: tools.result.maxChars }),
    readMaxChars: count("Characters of what was read from a file.", {
      minimum: 200,
      default: tools.result.readMaxChars,
    }),
  }),
  exec: section("Running programs.", {
    sandbox: choice("What a program runs in.", ["none", "local", "container", "microvm"], {
      default: tools.exec.sandbox,
    }),
    safeBins: texts("Programs that need no approval outside the sandbox.", { default: tools.exec.safeBins }),
    timeoutSec: count("Seconds after which a program is stopped.", {
      minimum: 1,
      default: tools.exec.timeoutSec,
    }),
  }),
  web: section("Reaching the web.", {
    search: section("Searching.", {
      enabled: flag("Whether it may search.", { default: tools.web.search.enabled }),
      order: texts("Search services in the order to try them; empty takes the usual order.", {
        default: tools.web.search.order,
      }),
      apiKey: Type.Optional(secretText("Key for the search service.")),
    }),
    fetch: section("Reading pages.", {
      enabled: flag("Whether it may read pages.", { default: tools.web.fetch.enabled }),
    }),
  }),
});

const injection = (description: string, defaults: { memoryFile: boolean; days: number }) =>
  section(description, {
    memoryFile: flag("Whether MEMORY.md is put into the prompt.", { default: defaults.memoryFile }),
    days: count("How many days of notes are put into the prompt.", { default: defaults.days }),
  });

export const memorySection = section("What the assistant remembers, in files.", {
  layout: choice("memory/YYYY-MM-DD.md, or memory/YYYYMM/YYYYMMDD.md; both are read.", ["flat", "monthly"], {
    default: memory.layout,
  }),
  inject: section("What goes into the prompt by itself.", {
    main: injection("In the owner's direct chat.", memory.inject.main),
    group: injection("In groups.", memory.inject.group),
  }),
  mirrorSummary: flag("Whether a session's summary is also written to memory/<session key>.md.", {
    default: memory.mirrorSummary,
  }),
});
