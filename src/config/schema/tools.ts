import { Type } from "typebox";
import {
  addressText,
  choice,
  count,
  described,
  flag,
  hosts,
  listedTexts,
  named,
  secretText,
  section,
  text,
  texts,
} from "./keys.ts";

/** Who may be asked to search the web, in the usual order. */
export const searchServices = ["perplexity", "brave", "tavily", "searxng", "duckduckgo"] as const;

const searchService = (en: string, zh: string) =>
  Type.Optional(
    section(en, zh, {
      apiKey: Type.Optional(secretText("Its key.", "其密钥。")),
      baseUrl: Type.Optional(addressText("Another address than its own.", "不同于其自身的地址。")),
    }),
  );

const execSection = section("Running programs.", "运行程序。", {
  sandbox: choice(
    "What a program runs in.",
    "程序在什么环境中运行。",
    ["none", "local", "container", "microvm"],
    { default: "local" },
  ),
  safeBins: texts("Programs that need no approval outside the sandbox.", "在沙箱外无需批准的程序。", {
    default: [],
  }),
  timeoutSec: count("Seconds after which a program is stopped.", "多少秒后停止程序。", {
    minimum: 1,
    default: 60,
  }),
  maxProcesses: count("How many programs may run at once.", "可同时运行的程序数。", {
    minimum: 1,
    default: 16,
  }),
  shell: Type.Optional(
    text(
      "The shell that reads commands; without one, the login shell of the user.",
      "读取命令的 shell；未设置时用该用户的登录 shell。",
    ),
  ),
  readable: texts(
    "Directories and files that programs in the sandbox may read besides the system's.",
    "沙箱中的程序除系统文件外可读的目录和文件。",
    { default: [] },
  ),
  environment: texts(
    "Names of environment variables that programs see besides the usual few.",
    "程序除常用变量外可见的环境变量名称。",
    { default: [] },
  ),
  network: section("What programs in the sandbox may reach.", "沙箱中的程序可访问什么。", {
    allow: hosts(
      'Hosts, as "registry.example.org", "*.example.com" or "host:port"; empty is no network.',
      "主机，写作“registry.example.org”、“*.example.com”或“host:port”；为空则没有网络。",
      { default: [] },
    ),
  }),
  container: section("The container of the profile of that name.", "沙箱方案为 container 时使用的容器。", {
    engine: choice("What runs it.", "由什么运行。", ["auto", "docker", "podman"], { default: "auto" }),
    image: text("The image.", "镜像。", { default: "docker.io/library/debian:12-slim" }),
    memoryMb: count("Memory in MB.", "内存，MB。", { minimum: 16, default: 1024 }),
    pids: count("How many processes.", "进程数。", { minimum: 1, default: 256 }),
  }),
  microvm: section(
    "The small virtual machine of the profile of that name.",
    "沙箱方案为 microvm 时使用的小型虚拟机。",
    {
      runtime: choice("What runs it.", "由什么运行。", ["auto", "runsc", "firecracker"], { default: "auto" }),
    },
  ),
});

export const toolsSection = section("What the assistant can do.", "助手能做什么。", {
  profile: Type.Optional(
    choice(
      "Named set of tools; without one the edition decides.",
      "已命名的工具集；未设置时由版本（edition）决定。",
      ["minimal", "coding", "messaging", "full"],
    ),
  ),
  allow: texts(
    "Only these tools and groups, where any are named; deny wins.",
    "若列出，则仅限这些工具和工具组；禁止优先。",
    { default: [] },
  ),
  deny: texts("Tools and groups that are never allowed; deny wins.", "一律不允许的工具和工具组；禁止优先。", {
    default: [],
  }),
  modes: Type.Record(
    Type.String(),
    choice(
      "What holds for it: never, freely, or only with the owner's yes.",
      "其规定：从不、自由使用，或须经所有者同意。",
      ["deny", "allow", "approval-required"],
    ),
    {
      ...described(
        "Tools and groups by name, with what holds for each; deny wins.",
        "按名称列出的工具和工具组及其规定；禁止优先。",
      ),
      default: {},
    },
  ),
  sessions: named(
    'What differs in one conversation, by session key or "channel:chat id".',
    "个别对话的不同设置，按会话键或“channel:chat id”。",
    section("One conversation.", "一个对话。", {
      allow: Type.Optional(texts("Only these tools and groups.", "仅限这些工具和工具组。")),
      deny: Type.Optional(texts("None of these tools and groups.", "排除这些工具和工具组。")),
    }),
    { default: {} },
  ),
  sensitive: section("Conversations about what must not leave the house.", "涉及不得外传内容的对话。", {
    sessions: texts('Their session keys or "channel:chat id"s.', "其会话键或“channel:chat id”。", {
      default: [],
    }),
    deny: texts(
      "Tools and groups that are not there; programs have no network either.",
      "在其中不可用的工具和工具组；程序也没有网络。",
      { default: ["group:web", "group:browser"] },
    ),
  }),
  limits: section("What ends a run before it does more harm.", "在造成更多损害之前结束运行的限制。", {
    messagesPerMinute: count(
      "Messages that the message tools of one agent may send in a minute.",
      "单个智能体的消息工具每分钟可发送的消息数。",
      { minimum: 1, default: 10 },
    ),
    deletedFiles: count("Files that one turn may delete.", "单个回合可删除的文件数。", {
      minimum: 1,
      default: 50,
    }),
    turnMinutes: count(
      "Minutes that one turn may take, not counting the time in which it waits for an answer.",
      "单个回合最长分钟数，不含等待答复的时间。",
      { minimum: 1, default: 30 },
    ),
  }),
  visibility: Type.Array(
    section("Tools that are there only for some.", "仅对部分人可用的工具。", {
      tools: texts("Names and groups of tools.", "工具和工具组的名称。"),
      channels: Type.Optional(texts("Only on these channels.", "仅限这些频道。")),
      chats: Type.Optional(
        texts(
          'Only in these chats, as "channel:id" or the id alone.',
          "仅限这些聊天，写作“channel:id”或仅 id。",
        ),
      ),
      roles: Type.Optional(
        listedTexts(
          "Only for people with one of these roles; peer is whoever has no other.",
          "仅限具有这些角色之一的人；peer 指没有其他角色的人。",
          ["owner", "admin", "developer", "viewer", "auditor", "peer"],
        ),
      ),
    }),
    {
      ...described(
        "Where and for whom tools are shown; what no entry names is shown everywhere.",
        "工具在何处、对谁显示；未列出的工具处处显示。",
      ),
      default: [],
    },
  ),
  result: section(
    "How much of a tool's result a request shows; the whole is kept.",
    "请求中显示工具结果的多少；完整结果会保留。",
    {
      maxChars: count("Characters of a result.", "单个结果的字符数。", { minimum: 200, default: 10_000 }),
      readMaxChars: count("Characters of what was read from a file.", "从文件读取内容的字符数。", {
        minimum: 200,
        default: 50_000,
      }),
    },
  ),
  exec: execSection,
  network: section(
    "Reaching addresses that come from texts: those of a model, a page, a message.",
    "访问来自文本的地址：来自模型、网页或消息。",
    {
      allow: hosts(
        "Only these hosts, where any are named; *.example.com means the hosts below it.",
        "若列出，则仅限这些主机；*.example.com 表示其下的主机。",
        { default: [] },
      ),
      deny: hosts("Hosts that are never reached; deny wins.", "从不访问的主机；禁止优先。", { default: [] }),
      allowPrivate: hosts(
        "Hosts and address ranges of this machine or its network that may be reached all the same, as 192.168.1.0/24 or nas.lan:8080.",
        "仍可访问的本机或本地网络的主机和地址段，例如 192.168.1.0/24 或 nas.lan:8080。",
        { default: [] },
      ),
      maxBytes: count("Bytes of an answer.", "响应的字节数。", { minimum: 1000, default: 10_000_000 }),
      timeoutSec: count("Seconds for a request with its answer.", "一次请求及其响应的秒数。", {
        minimum: 1,
        default: 60,
      }),
    },
  ),
  web: section("Reaching the web.", "访问网络。", {
    search: section("Searching.", "搜索。", {
      enabled: flag("Whether it may search.", "是否可以搜索。", { default: true }),
      order: listedTexts(
        "Search services in the order to try them; empty takes the usual order.",
        "搜索服务的尝试顺序；为空则用默认顺序。",
        searchServices,
        { default: [] },
      ),
      maxResults: count("How many results are told.", "告知多少条结果。", {
        minimum: 1,
        maximum: 20,
        default: 5,
      }),
      apiKey: Type.Optional(
        secretText("Key for the first service of the order.", "顺序中第一个服务的密钥。"),
      ),
      providers: section(
        "The services; one is there when it has what it needs.",
        "各项服务；具备所需条件的才可用。",
        {
          perplexity: searchService("Perplexity.", "Perplexity。"),
          brave: searchService("Brave Search.", "Brave Search。"),
          tavily: searchService("Tavily.", "Tavily。"),
          searxng: Type.Optional(
            section("A SearXNG of one's own.", "自建的 SearXNG。", {
              baseUrl: addressText("Where it is.", "其所在地址。"),
            }),
          ),
          duckduckgo: section("DuckDuckGo, which needs no key.", "DuckDuckGo，无需密钥。", {
            enabled: flag("Whether it is asked.", "是否使用。", { default: true }),
            baseUrl: Type.Optional(addressText("Another address than its own.", "不同于其自身的地址。")),
          }),
        },
      ),
    }),
    fetch: section("Reading pages.", "读取网页。", {
      enabled: flag("Whether it may read pages.", "是否可以读取网页。", { default: true }),
      maxChars: count("Characters of a page.", "网页的字符数。", { minimum: 200, default: 50_000 }),
    }),
    trusted: hosts(
      "Hosts that may be asked with addresses that the assistant put together itself.",
      "可用助手自行拼成的地址访问的主机。",
      { default: [] },
    ),
  }),
  undo: section(
    "Keeping what turns change in the workdir, so that it can be undone.",
    "保留回合在工作目录中的更改，以便撤销。",
    {
      enabled: flag("Whether it is kept.", "是否保留。", { default: true }),
      exclude: texts("Names of directories and files that are not kept.", "不保留的目录和文件名称。", {
        default: ["node_modules", ".venv", "venv", "__pycache__", "target", ".cache"],
      }),
      keepDays: count("Days after which it is thrown away.", "多少天后丢弃。", { minimum: 1, default: 14 }),
      maxFileBytes: count("Larger files are not kept.", "更大的文件不保留。", { default: 20_000_000 }),
      maxBytes: count(
        "How much is kept of one workdir; the oldest goes first.",
        "单个工作目录最多保留多少；最旧的先删除。",
        { default: 1_000_000_000 },
      ),
    },
  ),
});

const injection = (en: string, zh: string, defaults: { memoryFile: boolean; days: number }) =>
  section(en, zh, {
    memoryFile: flag("Whether MEMORY.md is put into the prompt.", "是否将 MEMORY.md 放入提示词。", {
      default: defaults.memoryFile,
    }),
    days: count("How many days of notes are put into the prompt.", "将多少天的笔记放入提示词。", {
      default: defaults.days,
    }),
  });

export const memorySection = section("What the assistant remembers, in files.", "助手以文件记住的内容。", {
  layout: choice(
    "memory/YYYY-MM-DD.md, or memory/YYYYMM/YYYYMMDD.md; both are read.",
    "memory/YYYY-MM-DD.md 或 memory/YYYYMM/YYYYMMDD.md；两者都会读取。",
    ["flat", "monthly"],
    { default: "flat" },
  ),
  inject: section("What goes into the prompt by itself.", "自动放入提示词的内容。", {
    main: injection("In the owner's direct chat.", "在所有者的私聊中。", { memoryFile: true, days: 2 }),
    group: injection("In groups.", "在群组中。", { memoryFile: false, days: 0 }),
  }),
  mirrorSummary: flag(
    "Whether a session's summary is also written to memory/<session key>.md.",
    "会话的总结是否也写入 memory/<会话键>.md。",
    { default: true },
  ),
});

export const mediaSection = section(
  "Files that came along with messages or were made for them.",
  "随消息而来或为消息生成的文件。",
  {
    maxFileBytes: count("Bytes of one file.", "单个文件的字节数。", {
      minimum: 1000,
      default: 50 * 1024 * 1024,
    }),
    maxBytes: count("Bytes of all of them; the oldest go first.", "全部文件的字节数；最旧的先删除。", {
      default: 2 * 1024 ** 3,
    }),
    keepDays: count("Days after which a file is thrown away.", "多少天后丢弃文件。", {
      minimum: 1,
      default: 90,
    }),
  },
);
