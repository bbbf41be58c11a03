import { Type } from "typebox";
import { defaultConfig } from "../default-config.ts";
import {
  addressText,
  choice,
  count,
  flag,
  hosts,
  listedTexts,
  named,
  secretText,
  section,
  text,
  texts,
} from "./keys.ts";

const { tools, memory, media } = defaultConfig;
const { exec, network, web, undo } = tools;

/** Who may be asked to search the web, in the usual order. */
export const searchServices = ["perplexity", "brave", "tavily", "searxng", "duckduckgo"] as const;

const searchService = (description: string) =>
  Type.Optional(
    section(description, {
      apiKey: Type.Optional(secretText("Its key.")),
      baseUrl: Type.Optional(addressText("Another address than its own.")),
    }),
  );

const execSection = section("Running programs.", {
  sandbox: choice("What a program runs in.", ["none", "local", "container", "microvm"], {
    default: exec.sandbox,
  }),
  safeBins: texts("Programs that need no approval outside the sandbox.", { default: exec.safeBins }),
  timeoutSec: count("Seconds after which a program is stopped.", { minimum: 1, default: exec.timeoutSec }),
  maxProcesses: count("How many programs may run at once.", { minimum: 1, default: exec.maxProcesses }),
  shell: Type.Optional(text("The shell that reads commands; without one, the login shell of the user.")),
  readable: texts("Directories and files that programs in the sandbox may read besides the system's.", {
    default: exec.readable,
  }),
  environment: texts("Names of environment variables that programs see besides the usual few.", {
    default: exec.environment,
  }),
  network: section("What programs in the sandbox may reach.", {
    allow: hosts('Hosts, as "registry.example.org", "*.example.com" or "host:port"; empty is no network.', {
      default: exec.network.allow,
    }),
  }),
  container: section("The container of the profile of that name.", {
    engine: choice("What runs it.", ["auto", "docker", "podman"], { default: exec.container.engine }),
    image: text("The image.", { default: exec.container.image }),
    memoryMb: count("Memory in MB.", { minimum: 16, default: exec.container.memoryMb }),
    pids: count("How many processes.", { minimum: 1, default: exec.container.pids }),
  }),
  microvm: section("The small virtual machine of the profile of that name.", {
    runtime: choice("What runs it.", ["auto", "runsc", "firecracker"], { default: exec.microvm.runtime }),
  }),
});

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
  modes: Type.Record(
    Type.String(),
    choice("What holds for it: never, freely, or only with the owner's yes.", [
      "deny",
      "allow",
      "approval-required",
    ]),
    { description: "Tools and groups by name, with what holds for each; deny wins.", default: tools.modes },
  ),
  sessions: named(
    'What differs in one conversation, by session key or "channel:chat id".',
    section("One conversation.", {
      allow: Type.Optional(texts("Only these tools and groups.")),
      deny: Type.Optional(texts("None of these tools and groups.")),
    }),
    { default: tools.sessions },
  ),
  sensitive: section("Conversations about what must not leave the house.", {
    sessions: texts('Their session keys or "channel:chat id"s.', { default: tools.sensitive.sessions }),
    deny: texts("Tools and groups that are not there; programs have no network either.", {
      default: tools.sensitive.deny,
    }),
  }),
  limits: section("What ends a run before it does more harm.", {
    messagesPerMinute: count("Messages that the message tools of one agent may send in a minute.", {
      minimum: 1,
      default: tools.limits.messagesPerMinute,
    }),
    deletedFiles: count("Files that one turn may delete.", {
      minimum: 1,
      default: tools.limits.deletedFiles,
    }),
    turnMinutes: count(
      "Minutes that one turn may take, not counting the time in which it waits for an answer.",
      {
        minimum: 1,
        default: tools.limits.turnMinutes,
      },
    ),
  }),
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
  exec: execSection,
  network: section("Reaching addresses that come from texts: those of a model, a page, a message.", {
    allow: hosts("Only these hosts, where any are named; *.example.com means the hosts below it.", {
      default: network.allow,
    }),
    deny: hosts("Hosts that are never reached; deny wins.", { default: network.deny }),
    allowPrivate: hosts(
      "Hosts and address ranges of this machine or its network that may be reached all the same, as 192.168.1.0/24 or nas.lan:8080.",
      { default: network.allowPrivate },
    ),
    maxBytes: count("Bytes of an answer.", { minimum: 1000, default: network.maxBytes }),
    timeoutSec: count("Seconds for a request with its answer.", { minimum: 1, default: network.timeoutSec }),
  }),
  web: section("Reaching the web.", {
    search: section("Searching.", {
      enabled: flag("Whether it may search.", { default: web.search.enabled }),
      order: listedTexts(
        "Search services in the order to try them; empty takes the usual order.",
        searchServices,
        { default: web.search.order },
      ),
      maxResults: count("How many results are told.", {
        minimum: 1,
        maximum: 20,
        default: web.search.maxResults,
      }),
      apiKey: Type.Optional(secretText("Key for the first service of the order.")),
      providers: section("The services; one is there when it has what it needs.", {
        perplexity: searchService("Perplexity."),
        brave: searchService("Brave Search."),
        tavily: searchService("Tavily."),
        searxng: Type.Optional(section("A SearXNG of one's own.", { baseUrl: addressText("Where it is.") })),
        duckduckgo: section("DuckDuckGo, which needs no key.", {
          enabled: flag("Whether it is asked.", { default: web.search.providers.duckduckgo.enabled }),
          baseUrl: Type.Optional(addressText("Another address than its own.")),
        }),
      }),
    }),
    fetch: section("Reading pages.", {
      enabled: flag("Whether it may read pages.", { default: web.fetch.enabled }),
      maxChars: count("Characters of a page.", { minimum: 200, default: web.fetch.maxChars }),
    }),
    trusted: hosts("Hosts that may be asked with addresses that the assistant put together itself.", {
      default: web.trusted,
    }),
  }),
  undo: section("Keeping what turns change in the workdir, so that it can be undone.", {
    enabled: flag("Whether it is kept.", { default: undo.enabled }),
    exclude: texts("Names of directories and files that are not kept.", { default: undo.exclude }),
    keepDays: count("Days after which it is thrown away.", { minimum: 1, default: undo.keepDays }),
    maxFileBytes: count("Larger files are not kept.", { default: undo.maxFileBytes }),
    maxBytes: count("How much is kept of one workdir; the oldest goes first.", { default: undo.maxBytes }),
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

export const mediaSection = section("Files that came along with messages or were made for them.", {
  maxFileBytes: count("Bytes of one file.", { minimum: 1000, default: media.maxFileBytes }),
  maxBytes: count("Bytes of all of them; the oldest go first.", { default: media.maxBytes }),
  keepDays: count("Days after which a file is thrown away.", { minimum: 1, default: media.keepDays }),
});
