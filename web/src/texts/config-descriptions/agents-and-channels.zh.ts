/** What keys of agents, sessions, questions and channels are for, in Chinese. */
export const agentsAndChannels: Readonly<Record<string, string>> = {
  "Who answers.": "由谁回答。",
  "What holds for every agent.": "对每个智能体有效的设置。",
  "Which model answers.": "由哪个模型回答。",
  "Model to use, as provider/model; without one the stub answers.":
    "使用的模型，写作 provider/model；未设置时由占位模型回答。",
  "Models to try in turn when it fails.": "失败时依次尝试的模型。",
  "Workdir; the default moves with the home.": "工作目录；默认值随主目录变化。",
  "How often in a row the same call with the same arguments may be made before the turn ends.":
    "相同参数的同一调用连续多少次后结束回合。",
  "How much the model thinks before it answers, where it can.": "模型回答前思考多少（若支持）。",
  "What people see of that: nothing, all of it in the reply, or as it is thought.":
    "人们能看到多少思考：不显示、全部放入回复，或边思考边显示。",
  "Where an answer that is sent in pieces is cut.": "分段发送的回答在何处切分。",
  "Messages of the session that a request shows at most.": "一次请求最多显示的会话消息数。",
  "Replaces the identity part of the system prompt.": "替换系统提示词中的身份部分。",
  "Whether file tools stay inside the workdir.": "文件工具是否限于工作目录内。",
  'Time zone of the person, such as "Asia/Shanghai"; without one, the machine\'s.':
    "使用者的时区，例如“Asia/Shanghai”；未设置时用本机时区。",
  "Characters of AGENTS.md, SOUL.md and the like that go into the prompt, per file.":
    "AGENTS.md、SOUL.md 等放入提示词的字符数，每个文件。",
  "Characters of all those files together.": "所有这些文件合计的字符数。",
  "What a request tells the model besides what was said.": "除对话之外，请求还告诉模型什么。",
  "full: everything; lite: what a simple question needs; minimal: tools and workdir; none: one line; custom: what the keys below leave.":
    "full：全部；lite：简单问题所需；minimal：工具和工作目录；none：一行；custom：由下列各项决定。",
  "Under custom, only these skills, where any are named.": "custom 时，若列出则仅限这些技能。",
  "Under custom, not these skills.": "custom 时，排除这些技能。",
  "Under custom, only these tools and groups, where any are named.":
    "custom 时，若列出则仅限这些工具和工具组。",
  "Under custom, not these tools and groups.": "custom 时，排除这些工具和工具组。",
  "Under custom, whether memory is put into the prompt.": "custom 时，是否将记忆放入提示词。",
  "Under custom, whether the prompt tells of workdir and agent.":
    "custom 时，提示词是否说明工作目录和智能体。",
  "When and how a long session is summarised.": "何时以及如何总结长会话。",
  "Whether it happens by itself; /compact works all the same.": "是否自动进行；/compact 始终可用。",
  "Tokens of the newest messages that stay as they were said, where the window has room.":
    "窗口有空间时，保持原样的最新消息的 token 数。",
  "For sessions with memory: by the number of messages.": "对启用记忆的会话：按消息数。",
  "More messages than this are summarised.": "超过此数的消息会被总结。",
  "How many of the newest stay.": "保留最新的几条。",
  "What a summary must pay attention to.": "总结时须注意什么。",
  "Tokens kept free for the answer.": "为回答预留的 token 数。",
  "A silent turn that writes notes before a summary replaces the messages.":
    "在总结替换消息之前写下笔记的静默回合。",
  "Whether it happens.": "是否进行。",
  "How many tokens before the limit it happens.": "距离限制多少 token 时进行。",
  "What that turn is asked to do.": "要求该回合做什么。",
  "What that turn is told beside its system prompt.": "除系统提示词外告诉该回合什么。",
  "Trimming of old tool results in a request; the session keeps them.":
    "在请求中裁剪旧的工具结果；会话仍保留。",
  '"cache-ttl" trims only when the provider\'s cache has expired.': "“cache-ttl”仅在提供方缓存过期后裁剪。",
  'How long the cache lives, such as "5m".': "缓存的有效期，例如“5m”。",
  "The results after so many of the newest answers are never trimmed.": "最新若干回答之后的结果不裁剪。",
  "Search in memory. Who makes embeddings holds for all agents.": "记忆搜索。由谁生成嵌入对所有智能体有效。",
  "Whether the assistant may search its memory.": "助手能否搜索其记忆。",
  "What can be found: the files of memory, and what was said in sessions.":
    "可搜索的内容：记忆文件和会话中说过的话。",
  'Who makes embeddings; "auto" takes the best of what is there, "compatible" any server that speaks as OpenAI does.':
    "由谁生成嵌入；“auto”选用现有最佳者，“compatible”为任何兼容 OpenAI 的服务器。",
  "Embedding model; unless told, the provider's usual one.": "嵌入模型；未设置时用提供方的默认模型。",
  "Where embeddings are asked for, if not at the provider's own address.":
    "若不在提供方自己的地址，则在何处请求嵌入。",
  "Address, such as http://127.0.0.1:8080/v1.": "地址，例如 http://127.0.0.1:8080/v1。",
  "Key; unless told, the one that is known for the provider.": "密钥；未设置时用该提供方已知的密钥。",
  "Sent with each request.": "随每个请求发送。",
  "The embedder that runs on this machine, where its package is installed.":
    "在本机运行的嵌入器（须已安装其软件包）。",
  "Weight of meaning, where it makes the embeddings.": "由其生成嵌入时，语义的权重。",
  "Weight of words, where it makes the embeddings.": "由其生成嵌入时，词语的权重。",
  "Its process ends after so long without work.": "闲置这么久后其进程结束。",
  "How a search is done.": "如何搜索。",
  "Words and meaning together.": "词语与语义结合。",
  "Whether both are used.": "是否两者都用。",
  "Weight of meaning, where a provider makes the embeddings.": "由提供方生成嵌入时，语义的权重。",
  "Weight of words, where a provider makes the embeddings.": "由提供方生成嵌入时，词语的权重。",
  "Candidates looked at per result wanted.": "每个所需结果考察的候选数。",
  "How the index follows what is written.": "索引如何跟随写入的内容。",
  "Whether a running gateway watches the files of memory.": "运行中的网关是否监视记忆文件。",
  "How long after the last change of a file it is read, in milliseconds.":
    "文件最后一次更改后多久读取，毫秒。",
  "Embeddings kept so that no text is embedded twice.": "保存嵌入，使同一文本不重复嵌入。",
  "Whether they are kept.": "是否保存。",
  "How many are kept.": "保存多少个。",
  "The agents.": "各智能体。",
  "One agent; what it leaves out comes from agents.defaults.": "一个智能体；未设置的项取自 agents.defaults。",
  "Name in bindings, session keys and paths.": "在绑定、会话键和路径中使用的名称。",
  "Who it is, in its own eyes.": "它眼中的自己。",
  "What it calls itself.": "它如何称呼自己。",
  "What it calls the person it works for.": "它如何称呼其服务的人。",
  "Whether it answers where no binding says otherwise.": "没有绑定另作规定时是否由它回答。",
  "Which model answers: provider/model, or primary and fallbacks.":
    "由哪个模型回答：provider/model，或 primary 与 fallbacks。",
  "Its workdir.": "它的工作目录。",
  "What its tools may do, over the general tools section.": "它的工具可做什么，优先于通用的 tools 部分。",
  "Named set of tools.": "已命名的工具集。",
  "Only these tools and groups, where any are named; deny wins.":
    "若列出，则仅限这些工具和工具组；禁止优先。",
  "Tools and groups that it may not use; deny wins.": "它不可使用的工具和工具组；禁止优先。",
  "Which agent answers whom; the most specific rule wins.": "哪个智能体回答谁；最具体的规则优先。",
  "One rule: what matches goes to that agent.": "一条规则：匹配的消息交给该智能体。",
  "What a message must match.": "消息须匹配的条件。",
  'Channel that it came by; "*" is any.': "消息来自的频道；“*”表示任意。",
  "Account that received it.": "接收消息的账号。",
  "Person or group that it came from.": "消息来自的人或群组。",
  "What it is.": "它的种类。",
  "Its id on that network.": "在该网络上的 id。",
  "Group that its thread belongs to.": "其话题所属的群组。",
  "Server that it came from.": "消息来自的服务器。",
  "Team that it came from.": "消息来自的团队。",
  "Agent that answers.": "负责回答的智能体。",
  'Whom the assistant may write to when its owner names them: a name, and "channel:id"s or addresses.':
    "所有者提到时助手可写给谁：一个名称，以及若干“channel:id”或地址。",
  'Where this person or group is, as "channel:id" or an address.':
    "此人或群组在何处，写作“channel:id”或地址。",
  "Questions to the owner before something is done.": "执行前向所有者提出的问题。",
  "How long a turn that somebody attends waits for the answer before it is put aside.":
    "有人在场的回合等待答复多久后搁置。",
  "Hours after which a question that nobody answered counts as denied.": "无人答复的问题多少小时后视为拒绝。",
  "How messages are gathered into sessions.": "消息如何归入会话。",
  "What the owner's direct messages share; everybody else is always on their own.":
    "所有者的私聊共享什么；其他人始终各自独立。",
  "When a chat session begins anew.": "聊天会话何时重新开始。",
  "Daily and when idle, only when idle, or never by itself.": "每天并在闲置时、仅在闲置时，或从不自动重置。",
  "Hour of the daily reset.": "每日重置的时刻（小时）。",
  "Minutes of silence after which it begins anew.": "沉默多少分钟后重新开始。",
  "Which new sessions open with what the last one came to: those that begin by themselves, every one, or none.":
    "哪些新会话以上一会话的结论开头：自动开始的、全部，或都不。",
  'One person on several channels: a name and their "channel:id"s.':
    "同一人在多个频道上：一个名称及其各“channel:id”。",
  'Who this person is on each channel, as "channel:id".': "此人在各频道上的身份，写作“channel:id”。",
  "What happens to messages that arrive during a turn.": "回合进行中到达的消息如何处理。",
  "steer: into the running turn; followup: one turn each afterwards; collect: one turn for all; interrupt: stop and begin.":
    "steer：加入进行中的回合；followup：之后各成一回合；collect：全部合成一回合；interrupt：停止并重新开始。",
  "How long a burst of messages is gathered, in milliseconds.": "连续消息合并等待多久，毫秒。",
  "How many messages may wait in one session; past that the sender is told.":
    "单个会话最多等待的消息数；超出时告知发送者。",
  "How many turns run at the same time, over all sessions.": "所有会话中同时进行的回合数。",
  "Networks to talk on, by name.": "用于交谈的网络，按名称。",
  "One network to talk on.": "一个用于交谈的网络。",
  "Whether the channel is started.": "是否启动此频道。",
  "Token of the bot.": "机器人的令牌。",
  "Token of the app, for channels that have two.": "应用的令牌，用于有两个令牌的频道。",
  "Token of the account.": "账号的令牌。",
  "Access token of the account.": "账号的访问令牌。",
  "Secret of the app.": "应用的机密。",
  "Secret that signs what the network sends.": "为网络所发内容签名的机密。",
  "Secret that the network shows when it calls.": "网络调用时出示的机密。",
  "Key that the network encrypts with.": "网络用于加密的密钥。",
  "Password of the account.": "账号的密码。",
  "Address of the network's API, where it is not the public one.": "网络 API 的地址（若非公共地址）。",
  "Who may write directly.": "谁可以直接写消息。",
  "Who is allowed without pairing; empty under allowlist means nobody.":
    "哪些人无需配对；在 allowlist 下为空表示没有人。",
  "Which groups are answered.": "回答哪些群组。",
  "Ids of the groups that are answered; empty under allowlist means none.":
    "回答的群组 id；在 allowlist 下为空表示没有。",
  "Whether a group is answered only when it speaks to the assistant.": "群组是否仅在对助手说话时才回答。",
  "What is done about a message that may or may not have arrived, where the network cannot tell: repeat it once, marked as such, or not.":
    "网络无法说明消息是否送达时怎么办：带标记重发一次，或不重发。",
  "How a growing answer is shown: not before it is whole, as a message that is edited, or in finished pieces (see agents.defaults.blockStreamingBreak).":
    "增长中的回答如何显示：完整后才显示、以可编辑的消息显示，或分段显示（见 agents.defaults.blockStreamingBreak）。",
  "Sign that a message gets while it is worked on, such as 👀, where the network has such signs.":
    "处理消息时加上的标记，例如 👀（若网络支持）。",
  "Turns of a direct chat that a request shows at most.": "一次请求最多显示的私聊回合数。",
  "What differs for one person, by id.": "对个别人的不同设置，按 id。",
  "One person.": "一个人。",
  "Turns that a request shows at most.": "一次请求最多显示的回合数。",
  "Several accounts on this network, by name.": "此网络上的多个账号，按名称。",
  "Keys of one account.": "一个账号的各项设置。",
};
