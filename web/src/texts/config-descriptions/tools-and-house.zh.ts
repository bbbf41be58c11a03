/** What keys of tools, memory, media and the rest of the house are for, in Chinese. */
export const toolsAndHouse: Readonly<Record<string, string>> = {
  "What the assistant can do.": "助手能做什么。",
  "Named set of tools; without one the edition decides.": "已命名的工具集；未设置时由版本（edition）决定。",
  "Tools and groups that are never allowed; deny wins.": "一律不允许的工具和工具组；禁止优先。",
  "Tools and groups by name, with what holds for each; deny wins.":
    "按名称列出的工具和工具组及其规定；禁止优先。",
  "What holds for it: never, freely, or only with the owner's yes.":
    "其规定：从不、自由使用，或须经所有者同意。",
  'What differs in one conversation, by session key or "channel:chat id".':
    "个别对话的不同设置，按会话键或“channel:chat id”。",
  "One conversation.": "一个对话。",
  "Only these tools and groups.": "仅限这些工具和工具组。",
  "None of these tools and groups.": "排除这些工具和工具组。",
  "Conversations about what must not leave the house.": "涉及不得外传内容的对话。",
  'Their session keys or "channel:chat id"s.': "其会话键或“channel:chat id”。",
  "Tools and groups that are not there; programs have no network either.":
    "在其中不可用的工具和工具组；程序也没有网络。",
  "What ends a run before it does more harm.": "在造成更多损害之前结束运行的限制。",
  "Messages that the message tools of one agent may send in a minute.":
    "单个智能体的消息工具每分钟可发送的消息数。",
  "Files that one turn may delete.": "单个回合可删除的文件数。",
  "Minutes that one turn may take, not counting the time in which it waits for an answer.":
    "单个回合最长分钟数，不含等待答复的时间。",
  "Where and for whom tools are shown; what no entry names is shown everywhere.":
    "工具在何处、对谁显示；未列出的工具处处显示。",
  "Tools that are there only for some.": "仅对部分人可用的工具。",
  "Names and groups of tools.": "工具和工具组的名称。",
  "Only on these channels.": "仅限这些频道。",
  'Only in these chats, as "channel:id" or the id alone.': "仅限这些聊天，写作“channel:id”或仅 id。",
  "Only for people with one of these roles; peer is whoever has no other.":
    "仅限具有这些角色之一的人；peer 指没有其他角色的人。",
  "How much of a tool's result a request shows; the whole is kept.":
    "请求中显示工具结果的多少；完整结果会保留。",
  "Characters of a result.": "单个结果的字符数。",
  "Characters of what was read from a file.": "从文件读取内容的字符数。",
  "Running programs.": "运行程序。",
  "What a program runs in.": "程序在什么环境中运行。",
  "Programs that need no approval outside the sandbox.": "在沙箱外无需批准的程序。",
  "Seconds after which a program is stopped.": "多少秒后停止程序。",
  "How many programs may run at once.": "可同时运行的程序数。",
  "The shell that reads commands; without one, the login shell of the user.":
    "读取命令的 shell；未设置时用该用户的登录 shell。",
  "Directories and files that programs in the sandbox may read besides the system's.":
    "沙箱中的程序除系统文件外可读的目录和文件。",
  "Names of environment variables that programs see besides the usual few.":
    "程序除常用变量外可见的环境变量名称。",
  "What programs in the sandbox may reach.": "沙箱中的程序可访问什么。",
  'Hosts, as "registry.example.org", "*.example.com" or "host:port"; empty is no network.':
    "主机，写作“registry.example.org”、“*.example.com”或“host:port”；为空则没有网络。",
  "The container of the profile of that name.": "沙箱方案为 container 时使用的容器。",
  "What runs it.": "由什么运行。",
  "The image.": "镜像。",
  "Memory in MB.": "内存，MB。",
  "How many processes.": "进程数。",
  "The small virtual machine of the profile of that name.": "沙箱方案为 microvm 时使用的小型虚拟机。",
  "Reaching addresses that come from texts: those of a model, a page, a message.":
    "访问来自文本的地址：来自模型、网页或消息。",
  "Only these hosts, where any are named; *.example.com means the hosts below it.":
    "若列出，则仅限这些主机；*.example.com 表示其下的主机。",
  "Hosts that are never reached; deny wins.": "从不访问的主机；禁止优先。",
  "Hosts and address ranges of this machine or its network that may be reached all the same, as 192.168.1.0/24 or nas.lan:8080.":
    "仍可访问的本机或本地网络的主机和地址段，例如 192.168.1.0/24 或 nas.lan:8080。",
  "Bytes of an answer.": "响应的字节数。",
  "Seconds for a request with its answer.": "一次请求及其响应的秒数。",
  "Reaching the web.": "访问网络。",
  "Searching.": "搜索。",
  "Whether it may search.": "是否可以搜索。",
  "Search services in the order to try them; empty takes the usual order.":
    "搜索服务的尝试顺序；为空则用默认顺序。",
  "How many results are told.": "告知多少条结果。",
  "Key for the first service of the order.": "顺序中第一个服务的密钥。",
  "The services; one is there when it has what it needs.": "各项服务；具备所需条件的才可用。",
  "Perplexity.": "Perplexity。",
  "Its key.": "其密钥。",
  "Another address than its own.": "不同于其自身的地址。",
  "Brave Search.": "Brave Search。",
  "Tavily.": "Tavily。",
  "A SearXNG of one's own.": "自建的 SearXNG。",
  "Where it is.": "其所在地址。",
  "DuckDuckGo, which needs no key.": "DuckDuckGo，无需密钥。",
  "Whether it is asked.": "是否使用。",
  "Reading pages.": "读取网页。",
  "Whether it may read pages.": "是否可以读取网页。",
  "Characters of a page.": "网页的字符数。",
  "Hosts that may be asked with addresses that the assistant put together itself.":
    "可用助手自行拼成的地址访问的主机。",
  "Keeping what turns change in the workdir, so that it can be undone.":
    "保留回合在工作目录中的更改，以便撤销。",
  "Whether it is kept.": "是否保留。",
  "Names of directories and files that are not kept.": "不保留的目录和文件名称。",
  "Days after which it is thrown away.": "多少天后丢弃。",
  "Larger files are not kept.": "更大的文件不保留。",
  "How much is kept of one workdir; the oldest goes first.": "单个工作目录最多保留多少；最旧的先删除。",
  "What the assistant remembers, in files.": "助手以文件记住的内容。",
  "memory/YYYY-MM-DD.md, or memory/YYYYMM/YYYYMMDD.md; both are read.":
    "memory/YYYY-MM-DD.md 或 memory/YYYYMM/YYYYMMDD.md；两者都会读取。",
  "What goes into the prompt by itself.": "自动放入提示词的内容。",
  "In the owner's direct chat.": "在所有者的私聊中。",
  "Whether MEMORY.md is put into the prompt.": "是否将 MEMORY.md 放入提示词。",
  "How many days of notes are put into the prompt.": "将多少天的笔记放入提示词。",
  "In groups.": "在群组中。",
  "Whether a session's summary is also written to memory/<session key>.md.":
    "会话的总结是否也写入 memory/<会话键>.md。",
  "Files that came along with messages or were made for them.": "随消息而来或为消息生成的文件。",
  "Bytes of one file.": "单个文件的字节数。",
  "Bytes of all of them; the oldest go first.": "全部文件的字节数；最旧的先删除。",
  "Days after which a file is thrown away.": "多少天后丢弃文件。",
  "Messages that are handled without the model.": "无需模型处理的消息。",
  "Marks that a command begins with.": "命令开头的标记。",
  "Whether the owner's unknown `,command` goes to the shell on channels too.":
    "所有者的未知 `,command` 在频道上是否也交给 shell。",
  "What is logged.": "记录哪些日志。",
  "How much.": "记录多少。",
  "Size at which the log file is put aside and a new one begun.": "日志文件达到此大小时另存并新建。",
  "How many that were put aside are kept.": "保留多少个另存的文件。",
  "Traces for a collector that speaks OpenTelemetry.": "发给 OpenTelemetry 收集器的追踪。",
  "Whether they are sent.": "是否发送。",
  "Where to, such as http://127.0.0.1:4318/v1/traces.": "发往何处，例如 http://127.0.0.1:4318/v1/traces。",
  "Headers that the collector wants.": "收集器需要的请求头。",
  "Which share of the messages is traced.": "追踪消息的比例。",
  "The record of who did what.": "谁做了什么的记录。",
  "Days that rows are kept; 0 keeps them for good.": "记录保留的天数；0 表示永久保留。",
  "Addresses under /hooks/ that other programs call, by name.": "供其他程序调用的 /hooks/ 下的地址，按名称。",
  "What a program that calls this address sets off.": "调用此地址的程序会触发什么。",
  "What the caller signs with, or sends as a bearer token.": "调用者用于签名，或作为 bearer 令牌发送的内容。",
  "How the caller proves itself: hmac (X-Pincer-Signature with a timestamp), github (X-Hub-Signature-256), or bearer. hmac unless it is given.":
    "调用者如何证明身份：hmac（带时间戳的 X-Pincer-Signature）、github（X-Hub-Signature-256）或 bearer。未设置时为 hmac。",
  "turn: a run of its own, in a session of the hook. wake: the main session hears of it and answers. turn unless it is given.":
    "turn：在该钩子的会话中单独运行。wake：主会话得知并回答。未设置时为 turn。",
  "Which agent answers.": "由哪个智能体回答。",
  "Session that it goes to, instead of the hook's own.": "交给哪个会话，代替该钩子自己的会话。",
  'Where the answer goes, as "channel:id"; without it nobody is written to.':
    "回答发往何处，写作“channel:id”；未设置则不写给任何人。",
  "What the agent is told; {{body.a.b}}, {{headers.x}} and {{body}} stand for what came.":
    "告诉智能体什么；{{body.a.b}}、{{headers.x}} 和 {{body}} 代表收到的内容。",
  "Calls a minute that are taken.": "每分钟接受的调用数。",
  "Extensions.": "扩展。",
  "Files or folders of plugins, by their full path; each is code that runs with Pincer's own rights.":
    "插件的文件或文件夹，写完整路径；每个插件都是以 Pincer 自身权限运行的代码。",
  "Profile that is active unless PINCER_PROFILE or --config-profile names another.":
    "启用的配置方案，除非 PINCER_PROFILE 或 --config-profile 另有指定。",
  "Profiles: named overlays over the other keys.": "配置方案：覆盖其他配置项的命名组合。",
  "Keys that this profile sets differently.": "此配置方案中不同的配置项。",
};
