import type { TextTable } from "./table.ts";

/** The commands of a chat: what each is for, and what they answer. */
export const commandTexts = {
  "command.group.conversation": { en: "This conversation", zh: "当前对话" },
  "command.group.tape": { en: "Its history", zh: "保留的内容" },
  "command.group.gate": { en: "Permissions", zh: "允许做什么" },
  "command.group.answers": { en: "How it answers", zh: "回答方式" },
  "command.group.about": { en: "Overview", zh: "查看信息" },

  "command.help.title": {
    en: "Commands, answered without the model. {prefix}help <name> explains one.",
    zh: "不经模型直接回答的命令。{prefix}help <名称> 查看某个命令的说明。",
  },
  "command.help.unknown": { en: "There is no command {name}.", zh: "没有命令 {name}。" },
  "command.help.also": { en: "Also: {names}", zh: "也可写作：{names}" },
  "command.help.choices": { en: "{name}: {choices}", zh: "{name}：{choices}" },
  "command.help.owner": { en: "Only for my owner.", zh: "仅限我的所有者。" },
  "command.help.owner-in-groups": { en: "In a group only for my owner.", zh: "在群里仅限我的所有者。" },
  "command.help.related": { en: "Related:", zh: "相关命令：" },
  // Stands behind a sentence.
  "command.nearest": { en: " Did you mean {command}?", zh: "是不是想输入 {command}？" },
  "command.refused": { en: "{command}: {reason}", zh: "{command}：{reason}" },
  "command.not-in-group": {
    en: "Ask me that in your own chat with me: others can read this one.",
    zh: "请在与我的单独对话中查询：这里有其他人在看。",
  },
  "command.owner-only": { en: "Only my owner can use this.", zh: "只有我的所有者可以使用。" },

  "command.about.help": { en: "this list, or details of one command", zh: "显示此列表，或某个命令的说明" },
  "command.about.stop": {
    en: "stop the running turn and drop waiting messages",
    zh: "停止正在进行的任务并放弃等待中的消息",
  },
  "command.about.continue": {
    en: "continue the last turn after it stopped at a limit",
    zh: "继续因达到上限而停下的上一轮",
  },
  "command.about.dry": {
    en: "a message as a dry run: effects are listed, and nothing is done",
    zh: "试运行一条消息：只列出会做的事，不执行",
  },
  "command.dry.usage": {
    en: "What should I try? {prefix}dry tell Bob that I am late",
    zh: "要试运行什么？例如：{prefix}dry 告诉 Bob 我会晚到",
  },
  "command.about.new": {
    en: "start a new session, optionally with a first message",
    zh: "开始新会话；若有文字，则作为第一条消息",
  },
  "command.about.reset": { en: "the same as new", zh: "与 new 相同" },
  "command.about.undo": {
    en: "undo the file changes of the last turn, or of a named one; list: what can be undone",
    zh: "恢复上一轮（或指定的一轮）对文件的更改；list：列出可撤销的更改",
  },
  "command.about.quit": { en: "leave the chat in the terminal", zh: "离开终端对话" },
  "command.about.compact": {
    en: "summarise the conversation to free space",
    zh: "总结已说的内容，腾出空间",
  },
  "command.about.handoff": { en: "continue from here with only the summary", zh: "从这里起只带着摘要继续" },
  "command.about.anchors": { en: "the handoffs and summaries of this session", zh: "此会话的交接点与总结" },
  "command.about.tape": { en: "how much of this session is stored", zh: "查看此会话保留了什么" },
  "command.about.tape.info": { en: "the same as tape", zh: "与 tape 相同" },
  "command.about.tape.search": { en: "search what was said", zh: "查找说过的内容" },
  "command.about.tape.reset": {
    en: "start a new session; this one is kept",
    zh: "开始新会话；此会话会保留",
  },
  "command.about.context": {
    en: "what the model is shown, and how large it is",
    zh: "我被告知了什么，有多少",
  },
  "command.about.rule": {
    en: "set a permanent rule; remove <number>: remove one",
    zh: "设定始终有效的规则；remove <编号>：删除规则",
  },
  "command.about.rules": { en: "list the rules", zh: "列出规则" },
  "command.about.approvals": { en: "requests that wait for your approval", zh: "列出等待你答复的请求" },
  "command.about.approve": {
    en: "approve a request: once, for this task, for this recipient or host, or for this shape of command",
    zh: "同意请求：仅此一次、此任务、此收件人或主机、此类命令",
  },
  "command.about.deny": { en: "deny a request", zh: "拒绝请求" },
  "command.about.why": {
    en: "why a call was denied or asked about, and by which rule: the last one, or the last of a tool",
    zh: "某次调用为何被拒绝或询问，由哪条规则决定：最近一次，或某个工具的最近一次",
  },
  "command.about.tools": {
    en: "which tools can be used here, and why others cannot",
    zh: "此处可用的工具，以及其他工具为何不可用",
  },
  "command.about.tool.describe": {
    en: "what a tool does, and its arguments",
    zh: "说明某个工具的作用和参数",
  },
  "command.about.model": {
    en: "which model answers in this session; a name changes it, default resets it",
    zh: "此会话由哪个模型作答；给出名称则更换，default 恢复默认",
  },
  "command.about.think": {
    en: "how much the model thinks before it answers; default resets it",
    zh: "模型作答前思考多少；default 恢复默认",
  },
  "command.about.verbose": {
    en: "whether you see each tool call as it happens",
    zh: "是否在每次调用工具时告诉你",
  },
  "command.about.status": { en: "what this session is doing", zh: "查看此会话的状态" },
  "command.about.usage": { en: "what models have used", zh: "查看用量" },
  "command.about.cost": { en: "what it cost", zh: "查看费用" },
  "command.about.whoami": { en: "who you are to me", zh: "查看我识别到的你的身份" },
  "command.about.skills": { en: "list the skills", zh: "列出技能" },
  "command.about.config": {
    en: "show a setting; change it with `pincer config set`, never from a chat",
    zh: "查看设置；更改请用 `pincer config set`，不能在对话中更改",
  },

  "command.quit.elsewhere": {
    en: "You can only leave the chat in the terminal. Here, {prefix}stop stops the running turn and {prefix}new starts a new session.",
    zh: "只有终端里的对话可以离开。这里无需离开：{prefix}stop 停止正在进行的任务，{prefix}new 开始新会话。",
  },

  "command.setting.model": { en: "In this session {value} answers.", zh: "此会话由 {value} 作答。" },
  "command.setting.model.usual": {
    en: "In this session the usual model answers: {value}.",
    zh: "此会话由默认模型作答：{value}。",
  },
  "command.setting.model.list": { en: "Configured: {models}", zh: "已配置：{models}" },
  "command.setting.model.set": {
    en: "{value} answers in this session from the next message on.",
    zh: "从下一条消息起，此会话由 {value} 作答。",
  },
  "command.setting.model.cleared": {
    en: "The usual model answers in this session from the next message on: {value}.",
    zh: "从下一条消息起，此会话由默认模型作答：{value}。",
  },
  "command.setting.think": { en: "Thinking in this session: {value}.", zh: "此会话的思考程度：{value}。" },
  "command.setting.think.usual": {
    en: "Thinking in this session: as usual ({value}).",
    zh: "此会话的思考程度：默认（{value}）。",
  },
  "command.setting.think.set": {
    en: "Thinking in this session from the next message on: {value}.",
    zh: "从下一条消息起，此会话的思考程度：{value}。",
  },
  "command.setting.think.cleared": {
    en: "Thinking in this session from the next message on: as usual ({value}).",
    zh: "从下一条消息起，此会话的思考程度恢复默认（{value}）。",
  },
  "command.setting.verbose.on": {
    en: "You see each tool call in this session as it happens.",
    zh: "此会话中每次调用工具都会告诉你。",
  },
  "command.setting.verbose.off": {
    en: "You do not see tool calls in this session.",
    zh: "此会话中调用工具时不再告诉你。",
  },
  "command.setting.choices": {
    en: "{value} is not one of: {choices}.",
    zh: "{value} 不在可选值之中：{choices}。",
  },
  "command.verbose.call": { en: "→ {call}", zh: "→ {call}" },

  "command.approvals.none": { en: "No request waits for an answer.", zh: "没有等待答复的请求。" },
  "command.approvals.which": {
    en: "Which request do you mean? {prefix}approve <id>, {prefix}deny <id>",
    zh: "要答复哪一个请求？{prefix}approve <id>、{prefix}deny <id>",
  },
  "command.approvals.unknown": { en: "There is no request {id}.", zh: "没有请求 {id}。" },
  "command.approvals.one": {
    en: "{id} ({tool}): {shown}\n  why: {reason}",
    zh: "{id}（{tool}）：{shown}\n  原因：{reason}",
  },
  "command.approvals.card": { en: "{id}, {count} things together:", zh: "{id}，共 {count} 项：" },
  "command.approvals.waiting": { en: "Waiting:", zh: "等待答复：" },
  "command.approvals.how": {
    en: "{prefix}approve <id> [{scopes}] or {prefix}deny <id>",
    zh: "{prefix}approve <id> [{scopes}] 或 {prefix}deny <id>",
  },
  "command.approvals.yes.once": { en: "Approved once: {id}, {shown}", zh: "已同意一次：{id}，{shown}" },
  "command.approvals.yes.task": {
    en: "Approved for this task: {id}, {shown}",
    zh: "已同意此任务：{id}，{shown}",
  },
  "command.approvals.yes.while": {
    en: "Approved for 30 minutes: {id}, {shown}",
    zh: "30 分钟内一律同意：{id}，{shown}",
  },
  "command.approvals.yes.recipient": {
    en: "Approved for this recipient or host from now on: {id}, {shown}",
    zh: "今后对此收件人或主机一律同意：{id}，{shown}",
  },
  "command.approvals.yes.shape": {
    en: "Approved for commands of this shape from now on: {id}, {shown}",
    zh: "今后对此类命令一律同意：{id}，{shown}",
  },
  "command.approvals.chosen": { en: "Approved: {yes}. Denied: {no}.", zh: "已同意：{yes}。已拒绝：{no}。" },
  "command.approvals.no-number": {
    en: "{id} has no number {number} that waits.",
    zh: "{id} 中没有等待答复的第 {number} 项。",
  },
  "command.approvals.no": { en: "Denied: {id}, {shown}", zh: "已拒绝：{id}，{shown}" },
  "command.approvals.settled.pending": { en: "{id} is still waiting.", zh: "{id} 仍在等待。" },
  "command.approvals.settled.approved": { en: "{id} was already approved.", zh: "{id} 已被同意。" },
  "command.approvals.settled.spent": {
    en: "{id} was already approved, and the call has run.",
    zh: "{id} 已被同意，且调用已执行。",
  },
  "command.approvals.settled.denied": { en: "{id} was already denied.", zh: "{id} 已被拒绝。" },
  "command.approvals.settled.expired": {
    en: "{id} expired without an answer and counts as denied.",
    zh: "{id} 在答复前已过期，视为拒绝。",
  },
  "command.approvals.settled.withdrawn": {
    en: "{id} is no longer needed: its task has ended.",
    zh: "{id} 已不再需要：其任务已结束。",
  },
  "command.approvals.no-scope": {
    en: "{id} cannot be approved with {scope}. Possible: {scopes}.",
    zh: "{id} 不能以 {scope} 同意。可选：{scopes}。",
  },

  "command.why.nothing": {
    en: "No call was denied or asked about in this session lately.",
    zh: "此会话最近没有调用被拒绝或询问。",
  },
  "command.why.nothing-of": {
    en: "No call of {tool} was denied or asked about in this session lately.",
    zh: "此会话最近没有 {tool} 的调用被拒绝或询问。",
  },
  "command.why.denied": { en: "{tool} was denied: {reason}", zh: "{tool} 被拒绝：{reason}" },
  "command.why.asked": { en: "You were asked about {tool}: {reason}", zh: "就 {tool} 询问了你：{reason}" },
  "command.why.asked.peer": { en: "My owner was asked about {tool}.", zh: "就 {tool} 询问了我的所有者。" },
  "command.why.denied.peer": { en: "{tool} may not be used here.", zh: "此处不能使用 {tool}。" },
  "command.why.rule": { en: "Decided by: {source} ({layer})", zh: "决定依据：{source}（{layer}）" },

  "command.tools.none": { en: "There are no tools here.", zh: "此处没有工具。" },
  "command.tools.allow": { en: "{name} – {description}", zh: "{name} – {description}" },
  "command.tools.ask": { en: "{name} – asks first: {reason}", zh: "{name} – 会先询问：{reason}" },
  "command.tools.deny": { en: "{name} – not here: {reason}", zh: "{name} – 此处不可用：{reason}" },
  "command.tools.which": {
    en: "Which tool? {prefix}tools lists them.",
    zh: "哪个工具？{prefix}tools 列出全部工具。",
  },
  "command.tools.unknown": {
    en: "There is no tool {name}. {prefix}tools lists all tools.",
    zh: "没有工具 {name}。{prefix}tools 列出全部工具。",
  },
  "command.tools.input": { en: "Input: {input}", zh: "参数：{input}" },
  "command.skills.none": {
    en: "There are no skills yet. Put them into {where}.",
    zh: "还没有技能。技能应放在 {where}。",
  },
  "command.skills.title": { en: "Skills in {where}:", zh: "{where} 中的技能：" },
  "command.skills.skipped": { en: "Not usable: {path} ({reason})", zh: "无法使用：{path}（{reason}）" },

  "command.config.no-set": {
    en: "Settings cannot be changed from a chat: a message can be forged, and a setting decides what everybody may do. On the gateway's machine: pincer config set {path} <value>",
    zh: "不能在对话中更改设置：消息可能是伪造的，而设置决定每个人可以做什么。请在本机执行：pincer config set {path} <值>",
  },
  "command.config.which": {
    en: "Which setting? {prefix}config get <path>, for example {prefix}config get queue.mode. Settings: {keys}",
    zh: "哪项设置？{prefix}config get <路径>，例如 {prefix}config get queue.mode。可选：{keys}",
  },
  "command.config.not-set": { en: "{path} is not set.", zh: "{path} 未设置。" },
} satisfies TextTable;
