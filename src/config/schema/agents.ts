import { Type } from "typebox";
import { defaultConfig, embedderNames } from "../default-config.ts";
import {
  addressText,
  agentIdText,
  choice,
  count,
  flag,
  listedText,
  overlayShape,
  secretText,
  section,
  text,
  texts,
  timeZoneText,
  type Shape,
} from "./keys.ts";

const defaults = defaultConfig.agents.defaults;
const share = (description: string, value: number) =>
  Type.Number({ description, minimum: 0, maximum: 1, default: value });

const modelChoice = section("Which model answers.", {
  primary: Type.Optional(text("Model to use, as provider/model; without one the stub answers.")),
  fallbacks: texts("Models to try in turn when it fails.", { default: defaults.model.fallbacks }),
});

const contextSection = section("What a request tells the model besides what was said.", {
  strategy: choice(
    "full: everything; lite: what a simple question needs; minimal: tools and workdir; none: one line; custom: what the keys below leave.",
    ["full", "minimal", "none", "lite", "custom"],
    { default: defaults.context.strategy },
  ),
  includeSkills: texts("Under custom, only these skills, where any are named.", {
    default: defaults.context.includeSkills,
  }),
  excludeSkills: texts("Under custom, not these skills.", { default: defaults.context.excludeSkills }),
  includeTools: texts("Under custom, only these tools and groups, where any are named.", {
    default: defaults.context.includeTools,
  }),
  excludeTools: texts("Under custom, not these tools and groups.", {
    default: defaults.context.excludeTools,
  }),
  includeMemory: flag("Under custom, whether memory is put into the prompt.", {
    default: defaults.context.includeMemory,
  }),
  includeRuntime: flag("Under custom, whether the prompt tells of workdir and agent.", {
    default: defaults.context.includeRuntime,
  }),
});

const compactionSection = section("When and how a long session is summarised.", {
  enabled: flag("Whether it happens by itself; /compact works all the same.", {
    default: defaults.compaction.enabled,
  }),
  keepRecentTokens: count(
    "Tokens of the newest messages that stay as they were said, where the window has room.",
    {
      minimum: 1,
      default: defaults.compaction.keepRecentTokens,
    },
  ),
  messages: section("For sessions with memory: by the number of messages.", {
    over: count("More messages than this are summarised.", {
      minimum: 2,
      default: defaults.compaction.messages.over,
    }),
    keep: count("How many of the newest stay.", { minimum: 1, default: defaults.compaction.messages.keep }),
  }),
  customInstructions: Type.Optional(text("What a summary must pay attention to.")),
  reserveTokensFloor: count("Tokens kept free for the answer.", {
    default: defaults.compaction.reserveTokensFloor,
  }),
  memoryFlush: section("A silent turn that writes notes before a summary replaces the messages.", {
    enabled: flag("Whether it happens.", { default: defaults.compaction.memoryFlush.enabled }),
    softThresholdTokens: count("How many tokens before the limit it happens.", {
      default: defaults.compaction.memoryFlush.softThresholdTokens,
    }),
    prompt: Type.Optional(text("What that turn is asked to do.")),
    systemPrompt: Type.Optional(text("What that turn is told beside its system prompt.")),
  }),
});

const pruningSection = section("Trimming of old tool results in a request; the session keeps them.", {
  mode: choice('"cache-ttl" trims only when the provider\'s cache has expired.', ["off", "cache-ttl"], {
    default: defaults.contextPruning.mode,
  }),
  ttl: text('How long the cache lives, such as "5m".', {
    pattern: "^[0-9]+(ms|s|m|h|d)$",
    default: defaults.contextPruning.ttl,
  }),
  keepLastAssistants: count("The results after so many of the newest answers are never trimmed.", {
    default: defaults.contextPruning.keepLastAssistants,
  }),
});

const { hybrid } = defaults.memorySearch.query;
const { local, sync } = defaults.memorySearch;
const memorySearchSection = section("Search in memory. Who makes embeddings holds for all agents.", {
  enabled: flag("Whether the assistant may search its memory.", { default: defaults.memorySearch.enabled }),
  sources: Type.Array(Type.Enum(["memory", "sessions"]), {
    description: "What can be found: the files of memory, and what was said in sessions.",
    default: defaults.memorySearch.sources,
  }),
  provider: listedText(
    'Who makes embeddings; "auto" takes the best of what is there, "compatible" any server that speaks as OpenAI does.',
    embedderNames,
    { default: defaults.memorySearch.provider },
  ),
  model: Type.Optional(text("Embedding model; unless told, the provider's usual one.")),
  remote: Type.Optional(
    section("Where embeddings are asked for, if not at the provider's own address.", {
      baseUrl: Type.Optional(addressText("Address, such as http://127.0.0.1:8080/v1.")),
      apiKey: Type.Optional(secretText("Key; unless told, the one that is known for the provider.")),
      headers: Type.Optional(
        Type.Record(Type.String(), Type.String({ description: "Value of the header.", secret: true }), {
          description: "Sent with each request.",
        }),
      ),
    }),
  ),
  local: section("The embedder that runs on this machine, where its package is installed.", {
    vectorWeight: share("Weight of meaning, where it makes the embeddings.", local.vectorWeight),
    textWeight: share("Weight of words, where it makes the embeddings.", local.textWeight),
    idleSeconds: count("Its process ends after so long without work.", {
      minimum: 1,
      default: local.idleSeconds,
    }),
  }),
  query: section("How a search is done.", {
    hybrid: section("Words and meaning together.", {
      enabled: flag("Whether both are used.", { default: hybrid.enabled }),
      vectorWeight: share("Weight of meaning, where a provider makes the embeddings.", hybrid.vectorWeight),
      textWeight: share("Weight of words, where a provider makes the embeddings.", hybrid.textWeight),
      candidateMultiplier: count("Candidates looked at per result wanted.", {
        minimum: 1,
        default: hybrid.candidateMultiplier,
      }),
    }),
  }),
  sync: section("How the index follows what is written.", {
    watch: flag("Whether a running gateway watches the files of memory.", { default: sync.watch }),
    watchDebounceMs: count("How long after the last change of a file it is read, in milliseconds.", {
      default: sync.watchDebounceMs,
    }),
  }),
  cache: section("Embeddings kept so that no text is embedded twice.", {
    enabled: flag("Whether they are kept.", { default: defaults.memorySearch.cache.enabled }),
    maxEntries: count("How many are kept.", { minimum: 1, default: defaults.memorySearch.cache.maxEntries }),
  }),
});

const overlay = (shape: unknown) =>
  Type.Optional(Type.Unsafe<Record<string, unknown>>(overlayShape(shape as Shape)));
const repeats = "How often in a row the same call with the same arguments may be made before the turn ends.";
const thinking = (options: { default?: "off" } = {}) =>
  choice(
    "How much the model thinks before it answers, where it can.",
    ["off", "minimal", "low", "medium", "high", "xhigh"],
    options,
  );
const reasoning = (options: { default?: "off" } = {}) =>
  choice(
    "What people see of that: nothing, all of it in the reply, or as it is thought.",
    ["off", "on", "stream"],
    options,
  );
const breaks = (options: { default?: "text_end" } = {}) =>
  choice(
    "Where an answer that is sent in pieces is cut.",
    ["text_end", "sentence", "paragraph", "none"],
    options,
  );
const steps = "Tool steps before a turn asks whether to go on.";
const window = "Messages of the session that a request shows at most.";
const zone = 'Time zone of the person, such as "Asia/Shanghai"; without one, the machine\'s.';
const perFile = "Characters of AGENTS.md, SOUL.md and the like that go into the prompt, per file.";
const allFiles = "Characters of all those files together.";
const confined = "Whether file tools stay inside the workdir.";

const agentSection = section("One agent; what it leaves out comes from agents.defaults.", {
  id: agentIdText("Name in bindings, session keys and paths."),
  name: Type.Optional(text("Name to show.")),
  identity: Type.Optional(
    section("Who it is, in its own eyes.", {
      name: Type.Optional(text("What it calls itself.")),
      user: Type.Optional(text("What it calls the person it works for.")),
    }),
  ),
  default: Type.Optional(flag("Whether it answers where no binding says otherwise.")),
  model: Type.Optional(
    Type.Unsafe<string | { primary?: string; fallbacks?: string[] }>({
      description: "Which model answers: provider/model, or primary and fallbacks.",
      anyOf: [{ type: "string" }, overlayShape(modelChoice as unknown as Shape)],
    }),
  ),
  workspace: Type.Optional(text("Its workdir.")),
  toolMaxSteps: Type.Optional(count(steps, { minimum: 1 })),
  maxRepeatedCalls: Type.Optional(count(repeats, { minimum: 1 })),
  thinkingDefault: Type.Optional(thinking()),
  reasoningDefault: Type.Optional(reasoning()),
  blockStreamingBreak: Type.Optional(breaks()),
  maxContextMessages: Type.Optional(count(window, { minimum: 1 })),
  systemPrompt: Type.Optional(text("Replaces the identity part of the system prompt.")),
  restrictToWorkspace: Type.Optional(flag(confined)),
  userTimezone: Type.Optional(timeZoneText(zone)),
  bootstrapMaxChars: Type.Optional(count(perFile)),
  bootstrapTotalMaxChars: Type.Optional(count(allFiles)),
  context: overlay(contextSection),
  compaction: overlay(compactionSection),
  contextPruning: overlay(pruningSection),
  memorySearch: overlay(memorySearchSection),
  tools: Type.Optional(
    section("What its tools may do, over the general tools section.", {
      profile: Type.Optional(text("Named set of tools.")),
      allow: Type.Optional(texts("Only these tools and groups, where any are named; deny wins.")),
      deny: Type.Optional(texts("Tools and groups that it may not use; deny wins.")),
    }),
  ),
});

export const agentsSection = section("Who answers.", {
  defaults: section("What holds for every agent.", {
    model: modelChoice,
    workspace: text("Workdir; the default moves with the home.", { default: defaults.workspace }),
    toolMaxSteps: count(steps, { minimum: 1, default: defaults.toolMaxSteps }),
    maxRepeatedCalls: count(repeats, { minimum: 1, default: defaults.maxRepeatedCalls }),
    thinkingDefault: thinking({ default: defaults.thinkingDefault }),
    reasoningDefault: reasoning({ default: defaults.reasoningDefault }),
    blockStreamingBreak: breaks({ default: defaults.blockStreamingBreak }),
    maxContextMessages: count(window, { minimum: 1, default: defaults.maxContextMessages }),
    systemPrompt: Type.Optional(text("Replaces the identity part of the system prompt.")),
    restrictToWorkspace: flag(confined, { default: defaults.restrictToWorkspace }),
    userTimezone: Type.Optional(timeZoneText(zone)),
    bootstrapMaxChars: count(perFile, { default: defaults.bootstrapMaxChars }),
    bootstrapTotalMaxChars: count(allFiles, { default: defaults.bootstrapTotalMaxChars }),
    context: contextSection,
    compaction: compactionSection,
    contextPruning: pruningSection,
    memorySearch: memorySearchSection,
  }),
  list: Type.Array(agentSection, { description: "The agents.", default: defaultConfig.agents.list }),
});

const peer = (description: string) =>
  section(description, {
    kind: choice("What it is.", ["user", "group", "room", "channel", "direct", "dm"]),
    id: text("Its id on that network."),
  });

export const bindingSection = section("One rule: what matches goes to that agent.", {
  match: section("What a message must match.", {
    channel: text('Channel that it came by; "*" is any.'),
    accountId: Type.Optional(text("Account that received it.")),
    peer: Type.Optional(peer("Person or group that it came from.")),
    parentPeer: Type.Optional(peer("Group that its thread belongs to.")),
    guildId: Type.Optional(text("Server that it came from.")),
    teamId: Type.Optional(text("Team that it came from.")),
  }),
  agentId: agentIdText("Agent that answers."),
});
