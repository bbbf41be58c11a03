import { Type } from "typebox";
import {
  agentIdText,
  choice,
  count,
  described,
  flag,
  overlayShape,
  section,
  text,
  texts,
  timeZoneText,
  type Shape,
} from "./keys.ts";
import { memorySearchSection } from "./memory-search.ts";

const modelChoice = section("Which model answers.", "由哪个模型回答。", {
  primary: Type.Optional(
    text(
      "Model to use, as provider/model; without one the stub answers.",
      "使用的模型，写作 provider/model；未设置时由占位模型回答。",
    ),
  ),
  fallbacks: texts("Models to try in this order if it fails.", "失败时依次尝试的模型。", { default: [] }),
});

const contextSection = section(
  "What a request contains besides the conversation.",
  "除对话之外，请求还包含什么。",
  {
    strategy: choice(
      "full: everything; lite: what a simple question needs; minimal: tools and workdir; none: one line; custom: as set by the keys below.",
      "full：全部；lite：简单问题所需；minimal：工具和工作目录；none：一行；custom：由下列各项决定。",
      ["full", "minimal", "none", "lite", "custom"],
      { default: "full" },
    ),
    includeSkills: texts(
      "With custom: only these skills, if any are listed.",
      "custom 时，若列出则仅限这些技能。",
      { default: [] },
    ),
    excludeSkills: texts("With custom: not these skills.", "custom 时，排除这些技能。", { default: [] }),
    includeTools: texts(
      "Under custom and lite, only these tools and groups, where any are named.",
      "custom 和 lite 时，若列出则仅限这些工具和工具组。",
      { default: [] },
    ),
    excludeTools: texts(
      "Under custom and lite, not these tools and groups.",
      "custom 和 lite 时，排除这些工具和工具组。",
      {
        default: [],
      },
    ),
    includeMemory: flag(
      "With custom: whether the prompt contains memory.",
      "custom 时，是否将记忆放入提示词。",
      { default: true },
    ),
    includeRuntime: flag(
      "With custom: whether the prompt mentions workdir and agent.",
      "custom 时，提示词是否说明工作目录和智能体。",
      { default: true },
    ),
  },
);

const compactionSection = section("When and how a long session is summarised.", "何时以及如何总结长会话。", {
  enabled: flag(
    "Whether it happens automatically; /compact always works.",
    "是否自动进行；/compact 始终可用。",
    { default: true },
  ),
  keepRecentTokens: count(
    "Tokens of the newest messages that stay verbatim, if the window is large enough.",
    "窗口有空间时，保持原样的最新消息的 token 数。",
    { minimum: 1, default: 20_000 },
  ),
  messages: section("For sessions with memory: by the number of messages.", "对启用记忆的会话：按消息数。", {
    over: count("More messages than this are summarised.", "超过此数的消息会被总结。", {
      minimum: 2,
      default: 24,
    }),
    keep: count("How many of the newest messages stay.", "保留最新的几条。", { minimum: 1, default: 12 }),
  }),
  customInstructions: Type.Optional(text("Instructions for the summary.", "对总结的要求。")),
  reserveTokensFloor: count("Tokens kept free for the answer.", "为回答预留的 token 数。", {
    default: 20_000,
  }),
  memoryFlush: section(
    "A silent turn that writes notes before a summary replaces the messages.",
    "在总结替换消息之前写下笔记的静默回合。",
    {
      enabled: flag("Whether it happens.", "是否进行。", { default: true }),
      softThresholdTokens: count(
        "How many tokens before the limit it happens.",
        "距离限制多少 token 时进行。",
        { default: 4000 },
      ),
      prompt: Type.Optional(text("The prompt of that turn.", "该回合的提示词。")),
      systemPrompt: Type.Optional(
        text("An addition to the system prompt of that turn.", "附加在该回合系统提示词后的内容。"),
      ),
    },
  ),
});

const pruningSection = section(
  "Trimming of old tool results in a request; the session keeps them.",
  "在请求中裁剪旧的工具结果；会话仍保留。",
  {
    mode: choice(
      '"cache-ttl" trims only when the provider\'s cache has expired.',
      "“cache-ttl”仅在提供方缓存过期后裁剪。",
      ["off", "cache-ttl"],
      { default: "cache-ttl" },
    ),
    ttl: text('How long the cache lives, such as "5m".', "缓存的有效期，例如“5m”。", {
      pattern: "^[0-9]+(ms|s|m|h|d)$",
      default: "5m",
    }),
    keepLastAssistants: count(
      "How many of the newest answers, with their tool results, are never trimmed.",
      "最新的多少个回答及其工具结果不裁剪。",
      { default: 3 },
    ),
  },
);

const overlay = (shape: unknown) =>
  Type.Optional(Type.Unsafe<Record<string, unknown>>(overlayShape(shape as Shape)));
const repeats = [
  "How many identical calls in a row end the turn.",
  "相同参数的同一调用连续多少次后结束回合。",
] as const;
const answerLength = [
  "How many characters an answer may have. A model that says more is stopped there, and the answer can be continued.",
  "一个回答最多多少字符。模型超出时会在此停下，可以继续。",
] as const;
const answerMessages = [
  "How many messages an answer may take in a chat. A longer one goes out as its beginning and a file, or as its beginning and where the rest is.",
  "一个回答在聊天中最多占几条消息。更长的回答只发开头，其余作为文件发送，或说明在哪里查看。",
] as const;
const thinking = (options: { default?: "off" } = {}) =>
  choice(
    "How much the model thinks before it answers, if it can.",
    "模型回答前思考多少（若支持）。",
    ["off", "minimal", "low", "medium", "high", "xhigh"],
    options,
  );
const reasoning = (options: { default?: "off" } = {}) =>
  choice(
    "What people see of that: nothing, all of it in the reply, or as it is thought; on channels that is in the reply, too.",
    "人们能看到多少思考：不显示、全部放入回复，或边思考边显示；在频道上也放入回复。",
    ["off", "on", "stream"],
    options,
  );
const breaks = (options: { default?: "text_end" } = {}) =>
  choice(
    "Where a long answer is split.",
    "分段发送的回答在何处切分。",
    ["text_end", "sentence", "paragraph", "none"],
    options,
  );
const steps = [
  "Tool steps before a turn asks whether to continue.",
  "回合在询问是否继续之前的工具步数。",
] as const;
const window = ["Maximum messages of the session in a request.", "一次请求最多显示的会话消息数。"] as const;
const zone = [
  'Time zone of the person, such as "Asia/Shanghai"; without one, the machine\'s.',
  "使用者的时区，例如“Asia/Shanghai”；未设置时用本机时区。",
] as const;
const perFile = [
  "Characters of AGENTS.md, SOUL.md and the like that go into the prompt, per file.",
  "AGENTS.md、SOUL.md 等放入提示词的字符数，每个文件。",
] as const;
const allFiles = ["Characters of all those files together.", "所有这些文件合计的字符数。"] as const;
const confined = ["Whether file tools stay inside the workdir.", "文件工具是否限于工作目录内。"] as const;

const agentSection = section(
  "One agent; what it leaves out comes from agents.defaults.",
  "一个智能体；未设置的项取自 agents.defaults。",
  {
    id: agentIdText("Name in bindings, session keys and paths.", "在绑定、会话键和路径中使用的名称。"),
    name: Type.Optional(text("Name to show.", "显示名称。")),
    identity: Type.Optional(
      section("Its identity.", "它的身份。", {
        name: Type.Optional(text("What it calls itself.", "它如何称呼自己。")),
        user: Type.Optional(text("What it calls the person it works for.", "它如何称呼其服务的人。")),
      }),
    ),
    default: Type.Optional(
      flag("Whether it answers if no binding matches.", "没有匹配的绑定时是否由它回答。"),
    ),
    model: Type.Optional(
      Type.Unsafe<string | { primary?: string; fallbacks?: string[] }>({
        ...described(
          "Which model answers: provider/model, or primary and fallbacks.",
          "由哪个模型回答：provider/model，或 primary 与 fallbacks。",
        ),
        anyOf: [{ type: "string" }, overlayShape(modelChoice as unknown as Shape)],
      }),
    ),
    workspace: Type.Optional(text("Its workdir.", "它的工作目录。")),
    toolMaxSteps: Type.Optional(count(...steps, { minimum: 1 })),
    maxRepeatedCalls: Type.Optional(count(...repeats, { minimum: 1 })),
    thinkingDefault: Type.Optional(thinking()),
    reasoningDefault: Type.Optional(reasoning()),
    blockStreamingBreak: Type.Optional(breaks()),
    maxContextMessages: Type.Optional(count(...window, { minimum: 1 })),
    systemPrompt: Type.Optional(
      text("Replaces the identity part of the system prompt.", "替换系统提示词中的身份部分。"),
    ),
    restrictToWorkspace: Type.Optional(flag(...confined)),
    userTimezone: Type.Optional(timeZoneText(...zone)),
    bootstrapMaxChars: Type.Optional(count(...perFile)),
    bootstrapTotalMaxChars: Type.Optional(count(...allFiles)),
    context: overlay(contextSection),
    compaction: overlay(compactionSection),
    contextPruning: overlay(pruningSection),
    memorySearch: overlay(memorySearchSection),
    tools: Type.Optional(
      section(
        "Its tools; overrides the general tools section.",
        "它的工具可做什么，优先于通用的 tools 部分。",
        {
          profile: Type.Optional(text("Named set of tools.", "已命名的工具集。")),
          allow: Type.Optional(
            texts(
              "Only these tools and groups, if any are listed; deny wins.",
              "若列出，则仅限这些工具和工具组；禁止优先。",
            ),
          ),
          deny: Type.Optional(
            texts("Tools and groups that it may not use; deny wins.", "它不可使用的工具和工具组；禁止优先。"),
          ),
        },
      ),
    ),
  },
);

export const agentsSection = section("Who answers.", "由谁回答。", {
  defaults: section("Defaults for all agents.", "对每个智能体有效的设置。", {
    model: modelChoice,
    // Means the folder of that name in the home, wherever the home is.
    workspace: text("Workdir; the default moves with the home.", "工作目录；默认值随主目录变化。", {
      default: "~/.pincer/workspace",
    }),
    toolMaxSteps: count(...steps, { minimum: 1, default: 50 }),
    maxRepeatedCalls: count(...repeats, { minimum: 1, default: 3 }),
    maxAnswerCharacters: count(...answerLength, { minimum: 1000, default: 200_000 }),
    maxAnswerMessages: count(...answerMessages, { minimum: 1, default: 8 }),
    thinkingDefault: thinking({ default: "off" }),
    reasoningDefault: reasoning({ default: "off" }),
    blockStreamingBreak: breaks({ default: "text_end" }),
    maxContextMessages: count(...window, { minimum: 1, default: 50 }),
    systemPrompt: Type.Optional(
      text("Replaces the identity part of the system prompt.", "替换系统提示词中的身份部分。"),
    ),
    restrictToWorkspace: flag(...confined, { default: true }),
    userTimezone: Type.Optional(timeZoneText(...zone)),
    bootstrapMaxChars: count(...perFile, { default: 20_000 }),
    bootstrapTotalMaxChars: count(...allFiles, { default: 60_000 }),
    context: contextSection,
    compaction: compactionSection,
    contextPruning: pruningSection,
    memorySearch: memorySearchSection,
  }),
  list: Type.Array(agentSection, { ...described("The agents.", "各智能体。"), default: [] }),
});

const peer = (en: string, zh: string) =>
  section(en, zh, {
    kind: choice("Its kind.", "它的种类。", ["user", "group", "room", "channel", "direct", "dm"]),
    id: text("Its id on that network.", "在该网络上的 id。"),
  });

export const bindingSection = section(
  "One rule: what matches goes to that agent.",
  "一条规则：匹配的消息交给该智能体。",
  {
    match: section("What a message must match.", "消息须匹配的条件。", {
      channel: text('Channel that it came by; "*" is any.', "消息来自的频道；“*”表示任意。"),
      accountId: Type.Optional(text("Account that received it.", "接收消息的账号。")),
      peer: Type.Optional(peer("Person or group that it came from.", "消息来自的人或群组。")),
      parentPeer: Type.Optional(peer("Group that its thread belongs to.", "其话题所属的群组。")),
      guildId: Type.Optional(text("Server that it came from.", "消息来自的服务器。")),
      teamId: Type.Optional(text("Team that it came from.", "消息来自的团队。")),
    }),
    agentId: agentIdText("Agent that answers.", "负责回答的智能体。"),
  },
);
