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
      baseUrl: Type.Optional(addressText("An address other than the default.", "默认地址以外的地址。")),
    }),
  );

/** Run by those who make what is documented there, with nobody else's pages and nobody else who sees what is asked. */
const documentationSites = [
  "developer.mozilla.org",
  "docs.python.org",
  "nodejs.org",
  "www.typescriptlang.org",
  "doc.rust-lang.org",
  "go.dev",
  "docs.oracle.com",
  "learn.microsoft.com",
  "www.php.net",
  "en.cppreference.com",
  "docs.ruby-lang.org",
  "www.postgresql.org",
  "www.sqlite.org",
  "docs.docker.com",
  "kubernetes.io",
  "git-scm.com",
  "docs.github.com",
  "man7.org",
  "www.rfc-editor.org",
];

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
      "The shell for commands; default: the user's login shell.",
      "读取命令的 shell；未设置时用该用户的登录 shell。",
    ),
  ),
  readable: texts(
    "Further directories and files that programs in the sandbox may read.",
    "沙箱中的程序除系统文件外可读的目录和文件。",
    { default: [] },
  ),
  environment: texts(
    "Names of further environment variables that programs see.",
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
  container: section(
    "The container of the sandbox profile container.",
    "沙箱方案为 container 时使用的容器。",
    {
      engine: choice("What runs it.", "由什么运行。", ["auto", "docker", "podman"], { default: "auto" }),
      image: text("The image.", "镜像。", { default: "docker.io/library/debian:12-slim" }),
      memoryMb: count("Memory in MB.", "内存，MB。", { minimum: 16, default: 1024 }),
      pids: count("Maximum number of processes.", "最大进程数。", { minimum: 1, default: 256 }),
    },
  ),
  microvm: section(
    "The virtual machine of the sandbox profile microvm.",
    "沙箱方案为 microvm 时使用的小型虚拟机。",
    {
      runtime: choice("What runs it.", "由什么运行。", ["auto", "runsc", "firecracker"], { default: "auto" }),
    },
  ),
});

export const toolsSection = section("What the assistant can do.", "助手能做什么。", {
  profile: Type.Optional(
    choice("Tool set; default: as the edition decides.", "已命名的工具集；未设置时由版本（edition）决定。", [
      "minimal",
      "coding",
      "messaging",
      "full",
    ]),
  ),
  allow: texts(
    "Only these tools and groups, if any are listed; deny wins.",
    "若列出，则仅限这些工具和工具组；禁止优先。",
    { default: [] },
  ),
  deny: texts("Tools and groups that are never allowed; deny wins.", "一律不允许的工具和工具组；禁止优先。", {
    default: [],
  }),
  modes: Type.Record(
    Type.String(),
    choice(
      "When it may run: never, always, or only with the owner's approval.",
      "何时可运行：从不、始终，或须经所有者批准。",
      ["deny", "allow", "approval-required"],
    ),
    {
      ...described(
        "When tools and groups may run, by name; deny wins.",
        "按名称列出的工具和工具组何时可运行；禁止优先。",
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
  sensitive: section("Conversations whose content must not leave this machine.", "涉及不得外传内容的对话。", {
    sessions: texts('Their session keys, or "channel:chat id".', "其会话键或“channel:chat id”。", {
      default: [],
    }),
    deny: texts(
      "Tools and groups that are not available; programs have no network either.",
      "在其中不可用的工具和工具组；程序也没有网络。",
      { default: ["group:web", "group:browser"] },
    ),
  }),
  limits: section("Limits that end a run before it does more harm.", "在造成更多损害之前结束运行的限制。", {
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
      "Minutes that one turn may take, not counting the time it waits for an approval.",
      "单个回合最长分钟数，不含等待答复的时间。",
      { minimum: 1, default: 30 },
    ),
  }),
  visibility: Type.Array(
    section("Tools that only some people see.", "仅对部分人可用的工具。", {
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
          "Only for people with one of these roles; peer means no other role.",
          "仅限具有这些角色之一的人；peer 指没有其他角色的人。",
          ["owner", "admin", "developer", "viewer", "auditor", "peer"],
        ),
      ),
    }),
    {
      ...described(
        "Where and for whom tools are shown; tools that no entry names are shown everywhere.",
        "工具在何处、对谁显示；未列出的工具处处显示。",
      ),
      default: [],
    },
  ),
  result: section(
    "How much of a tool result a request contains; the full result is stored.",
    "请求中显示工具结果的多少；完整结果会保留。",
    {
      maxChars: count("Maximum characters of a result.", "单个结果的最大字符数。", {
        minimum: 200,
        default: 10_000,
      }),
      readMaxChars: count(
        "Maximum characters of a result read from a file.",
        "从文件读取内容的最大字符数。",
        {
          minimum: 200,
          default: 50_000,
        },
      ),
    },
  ),
  exec: execSection,
  network: section(
    "Network access to addresses that come from a model, a page or a message.",
    "访问来自文本的地址：来自模型、网页或消息。",
    {
      allow: hosts(
        "Only these hosts, if any are listed; *.example.com means its subdomains.",
        "若列出，则仅限这些主机；*.example.com 表示其下的主机。",
        { default: [] },
      ),
      deny: hosts("Hosts that are always blocked; deny wins.", "从不访问的主机；禁止优先。", { default: [] }),
      allowPrivate: hosts(
        "Hosts and address ranges of this machine or its network that are allowed anyway, such as 192.168.1.0/24 or nas.lan:8080.",
        "仍可访问的本机或本地网络的主机和地址段，例如 192.168.1.0/24 或 nas.lan:8080。",
        { default: [] },
      ),
      maxBytes: count("Maximum bytes of a response.", "响应的最大字节数。", {
        minimum: 1000,
        default: 10_000_000,
      }),
      timeoutSec: count("Time limit of a request, in seconds.", "一次请求的时限，秒。", {
        minimum: 1,
        default: 60,
      }),
    },
  ),
  web: section("Web access.", "访问网络。", {
    search: section("Searching.", "搜索。", {
      enabled: flag("Whether it may search.", "是否可以搜索。", { default: true }),
      order: listedTexts(
        "Search services in the order to try them; empty: the default order.",
        "搜索服务的尝试顺序；为空则用默认顺序。",
        searchServices,
        { default: [] },
      ),
      maxResults: count("How many results are returned.", "返回多少条结果。", {
        minimum: 1,
        maximum: 20,
        default: 5,
      }),
      apiKey: Type.Optional(
        secretText("Key for the first service of the order.", "顺序中第一个服务的密钥。"),
      ),
      providers: section(
        "The services; each is available once it has what it needs.",
        "各项服务；具备所需条件的才可用。",
        {
          perplexity: searchService("Perplexity.", "Perplexity。"),
          brave: searchService("Brave Search.", "Brave Search。"),
          tavily: searchService("Tavily.", "Tavily。"),
          searxng: Type.Optional(
            section("Your own SearXNG.", "自建的 SearXNG。", {
              baseUrl: addressText("Its address.", "其地址。"),
            }),
          ),
          duckduckgo: section("DuckDuckGo, which needs no key.", "DuckDuckGo，无需密钥。", {
            enabled: flag("Whether it is used.", "是否使用。", { default: true }),
            baseUrl: Type.Optional(addressText("An address other than the default.", "默认地址以外的地址。")),
          }),
        },
      ),
    }),
    fetch: section("Reading pages.", "读取网页。", {
      enabled: flag("Whether it may read pages.", "是否可以读取网页。", { default: true }),
      maxChars: count("Maximum characters of a page.", "网页的最大字符数。", {
        minimum: 200,
        default: 50_000,
      }),
    }),
    trusted: hosts(
      "Hosts that the assistant may read at any address, also one that it composes of private things: these hosts hear whatever it asks for.",
      "助手可读取其任意地址的主机，包括用私人内容拼成的地址：这些主机会得知它所请求的一切。",
      { default: documentationSites },
    ),
  }),
  undo: section(
    "Snapshots of what turns change in the workdir, for undo.",
    "工作目录更改的快照，用于撤销。",
    {
      enabled: flag("Whether snapshots are taken.", "是否创建快照。", { default: true }),
      exclude: texts("Names of directories and files to exclude.", "排除的目录和文件名称。", {
        default: ["node_modules", ".venv", "venv", "__pycache__", "target", ".cache"],
      }),
      keepDays: count("Days after which snapshots are deleted.", "多少天后删除快照。", {
        minimum: 1,
        default: 14,
      }),
      maxFileBytes: count("Larger files are not included.", "更大的文件不包含在快照中。", {
        default: 20_000_000,
      }),
      maxBytes: count(
        "Maximum size of the snapshots of one workdir; the oldest are deleted first.",
        "单个工作目录快照的最大字节数；最旧的先删除。",
        { default: 1_000_000_000 },
      ),
    },
  ),
});

const injection = (en: string, zh: string, defaults: { memoryFile: boolean; days: number }) =>
  section(en, zh, {
    memoryFile: flag("Whether the prompt contains MEMORY.md.", "是否将 MEMORY.md 放入提示词。", {
      default: defaults.memoryFile,
    }),
    days: count("How many days of notes the prompt contains.", "将多少天的笔记放入提示词。", {
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
  inject: section("What the prompt contains automatically.", "自动放入提示词的内容。", {
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
  "Files that arrived with messages or were made for them.",
  "随消息而来或为消息生成的文件。",
  {
    maxFileBytes: count("Maximum bytes of one file.", "单个文件的最大字节数。", {
      minimum: 1000,
      default: 50 * 1024 * 1024,
    }),
    maxBytes: count(
      "Maximum bytes of all files; the oldest are deleted first.",
      "全部文件的最大字节数；最旧的先删除。",
      {
        default: 2 * 1024 ** 3,
      },
    ),
    keepDays: count("Days after which an unused file is deleted.", "未使用的文件在多少天后删除。", {
      minimum: 1,
      default: 90,
    }),
  },
);
