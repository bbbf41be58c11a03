import type { TextTable } from "./table.ts";

/** Texts of asking, chatting, tools and sessions. */
export const turnTexts = {
  "stub.reply": {
    en: "I received your message and kept it, but no model is connected yet, so I cannot answer it.\nConnect one in the page, under First steps.\nUntil then I can run tools: try `tool:time_now` or `tool:list`.",
    zh: "你的消息已收到并保存，但还没有连接模型，所以我无法作答。\n请在网页的“入门”中连接模型。\n在此之前我可以运行工具：试试 `tool:time_now` 或 `tool:list`。",
  },
  "turn.step-limit": {
    en: "I stopped after {steps} tool steps, the limit for this turn. Send /continue to go on.",
    zh: "本轮已达到 {steps} 步工具调用上限，我停了下来。发送 /continue 继续。",
  },
  "turn.model-failed": {
    en: "The model could not answer: {reason}\nSend /continue to try again.",
    zh: "模型无法作答：{reason}\n发送 /continue 再试一次。",
  },
  "turn.model-failed.brief": {
    en: "I could not think about that: no model answered. My owner has been told. Send /continue to try again.",
    zh: "我暂时无法思考：没有模型作答。已通知我的所有者。发送 /continue 再试一次。",
  },
  "turn.over-budget.brief": {
    en: "I have reached a limit that my owner set, and was told to stop there. My owner has been told.",
    zh: "我已达到所有者设定的上限，只能到此为止。已通知所有者。",
  },
  "turn.failed.brief": {
    en: "Something is not set up right on my side. My owner has been told.",
    zh: "我这边的设置有问题。已通知所有者。",
  },
  "turn.answered-nothing": { en: "its answer was empty.", zh: "它的回答是空的。" },
  "turn.broke-off": { en: "it stopped without a reason.", zh: "它中断了，没有说明原因。" },
  "turn.press-continue": { en: "Continue", zh: "继续" },
  "turn.then-continue": {
    en: "When that is fixed, send /continue to go on.",
    zh: "处理好之后，发送 /continue 继续。",
  },
  "turn.working": {
    en: "working… {seconds} s (Ctrl-C stops)",
    zh: "处理中…… {seconds} 秒（按 Ctrl-C 停止）",
  },
  "turn.starts-over": {
    en: "(interrupted; the answer starts again)",
    zh: "（中断了；回答重新开始）",
  },
  "turn.waiting": {
    en: "Waiting: process {pid} has been using the session since {since}.",
    zh: "等待中：会话正被进程 {pid} 使用（自 {since} 起）。",
  },
  "turn.not-mirrored": {
    en: "The conversation is stored, but the readable copy of {sessionId} could not be written: {reason}",
    zh: "对话已保存，但 {sessionId} 的可读副本无法写入：{reason}",
  },
  "home.rebuilt": {
    en: "the database was missing; sessions restored from their transcripts: {count}",
    zh: "数据库缺失；已从会话记录恢复 {count} 个会话",
  },
  "safe-mode.next": {
    en: "the config cannot be used, {fallback}; `pincer config validate` shows what is wrong, `pincer config revert` undoes the last change",
    zh: "配置无法使用，{fallback}；可用 `pincer config revert` 恢复，用 `pincer config validate` 查看问题",
  },
  "safe-mode.last-good": { en: "the last good one is in force", zh: "正在使用上一份可用的配置" },
  "safe-mode.defaults": { en: "the defaults are in force", zh: "正在使用默认值" },
  "sessions.no-match": { en: "No session matches.", zh: "没有匹配的会话。" },
  "sessions.import.none": { en: "There is no transcript there.", zh: "那里没有会话记录。" },
  "turn.aborted": { en: "Stopped.", zh: "已停止。" },
  "turn.overdue": {
    en: "this has taken {minutes} minutes, the limit for one turn (raise it with tools.limits.turnMinutes).",
    zh: "已用了 {minutes} 分钟，这是一轮最长的工作时间（可用 tools.limits.turnMinutes 调高）。",
  },
  "turn.put-aside": {
    en: "This needs your approval ({ids}). After `pincer approvals approve` it continues in the gateway (`pincer gateway run`).",
    zh: "这件事等待你的同意（{ids}）。用 `pincer approvals approve` 答复后，它会在网关（`pincer gateway run`）中继续。",
  },
  "turn.broken": {
    en: "I stopped: {reason}\nSend /continue to go on.",
    zh: "我停了下来：{reason}\n发送 /continue 继续。",
  },
  "turn.broken.brief": {
    en: "I have reached a limit that my owner set, and stopped there. Send /continue to go on.",
    zh: "我已达到所有者设定的上限，停在这里。发送 /continue 继续。",
  },
  "turn.interrupted": { en: "Stopped for your newer message.", zh: "因你的新消息而停止。" },
  "failure.session-full": {
    en: "{waiting} messages are already waiting in this session.",
    zh: "此会话中已有 {waiting} 条消息在等待。",
  },
  "failure.session-full.hint": {
    en: "Wait until some are answered, or stop the running turn.",
    zh: "请等其中一些得到答复，或停止正在进行的轮次。",
  },
  "failure.key-used": {
    en: "The idempotency key {key} was used for another request.",
    zh: "幂等键 {key} 已用于另一个请求。",
  },
  "failure.key-used.hint": {
    en: "Use a new key for each request; reuse one only to repeat the same request unchanged.",
    zh: "每个请求使用新的键；只有原样重复同一请求时才可再用。",
  },
  notice: { en: "note: {notice}", zh: "提示：{notice}" },
  "confirm.hint": { en: "Answer y at the prompt, or add --yes.", zh: "在提示处回答 y，或加上 --yes。" },
  "file.exists": { en: "{file} already exists and was not changed.", zh: "{file} 已存在，未作改动。" },
  "ask.kept": {
    en: "The gateway stopped before it answered. Your question is kept and is answered when the gateway runs again.",
    zh: "网关在回应之前停止了。你的问题已保存，网关再次运行时会作答。",
  },
  "ask.kept.hint": {
    en: "Do not ask again. `pincer gateway status` shows whether it is running, and `pincer runs show {runId}` shows the answer.",
    zh: "无需重新提问。用 `pincer gateway status` 查看它是否运行，用 `pincer runs show {runId}` 查看回答。",
  },
  "ask.waits-for-approval": {
    en: "Waiting: an earlier turn of this session waits for your approval of {tool}. `pincer approvals list` shows it, `pincer approvals approve {id}` or `deny {id}` answers it.",
    zh: "等待中：此会话中较早的一轮正在等待你批准 {tool}。用 `pincer approvals list` 查看，用 `pincer approvals approve {id}` 或 `deny {id}` 答复。",
  },
  "ask.about": { en: "ask one question and print the answer", zh: "提一个问题并输出回答" },
  "ask.input": {
    en: "the question; without it, or with -, stdin is read",
    zh: "要问的内容；省略或写 - 时读取标准输入",
  },
  "ask.provider": {
    en: "provider that answers (default: the configured one, else stub)",
    zh: "由哪个提供方作答（默认：配置的提供方，否则 stub）",
  },
  "ask.model": {
    en: "model that answers, as model or provider/model",
    zh: "由哪个模型作答，写作 model 或 provider/model",
  },
  "ask.profile": {
    en: "credential to use (default: the active one)",
    zh: "使用哪个凭据（默认：当前启用的）",
  },
  "ask.agent": { en: "agent that answers", zh: "由哪个智能体作答" },
  "ask.session": {
    en: "session to ask in: a name, or a whole session key",
    zh: "在哪个会话中提问：名称或完整的会话键",
  },
  "ask.new-session": { en: "start a new session under the same key", zh: "在同一个键下开始新会话" },
  "ask.memory": {
    en: "turn this session's memory on (also --memory=on|off)",
    zh: "打开此会话的记忆（也可写 --memory=on|off）",
  },
  "ask.no-memory": { en: "turn it off", zh: "关闭记忆" },
  "ask.with-tools": { en: "allow tools", zh: "允许使用工具" },
  "ask.no-with-tools": { en: "use no tools", zh: "不使用工具" },
  "ask.tool-allow": { en: "only these tools, comma-separated", zh: "只允许这些工具，用逗号分隔" },
  "ask.tool-max-steps": {
    en: "at most this many rounds of tool calls (otherwise the agent's toolMaxSteps, 50)",
    zh: "最多几轮工具调用（否则按智能体的 toolMaxSteps，即 50）",
  },
  "ask.workdir": { en: "directory the tools work in", zh: "工具的工作目录" },
  "ask.config-profile": { en: "config profile to apply", zh: "叠加在配置之上的配置档" },
  "ask.debug": { en: "show which model answered", zh: "显示由哪个模型作答" },
  "chat.about": { en: "talk in the terminal", zh: "在终端里对话" },
  "chat.welcome": {
    en: "Pincer is ready. /help explains, Tab completes commands, Ctrl-C stops an answer, Ctrl-D leaves.\nTools work in {workdir}",
    zh: "Pincer 已就绪。/help 查看说明，Tab 补全命令，Ctrl-C 停止回答，Ctrl-D 离开。\n工具的工作目录：{workdir}",
  },
  "turn.nothing-printed": { en: "(no output)", zh: "（没有输出）" },
  "chat.help": {
    en: "Write a message and press Enter. End a line with \\ to continue on the next; pasted text stays together; the arrow keys recall earlier lines. `tool:<name> {json}` runs a tool, `,<line>` runs a line in the shell. Ctrl-C stops a running turn; ,quit or Ctrl-D leaves.\nEverything is stored: see `pincer sessions list`.",
    zh: "输入消息后按回车。行尾的 \\ 表示下一行继续；粘贴的多行会保持在一起；方向键可取回之前的行。`tool:<名称> {json}` 运行工具，`,<命令行>` 在 shell 中运行一行。Ctrl-C 停止正在进行的一轮；,quit 或 Ctrl-D 离开。\n所有对话都会保存：用 `pincer sessions list` 查看。",
  },
  "chat.goodbye": { en: "Bye.", zh: "再见。" },
  "chat.dropped": { en: "Not sent: {line}", zh: "未发送：{line}" },
  "chat.pasted-command": {
    en: "A pasted command is only text. To run it, type it.",
    zh: "粘贴的命令只是文本。要运行它，请手动输入。",
  },
  "chat.config-applied": { en: "config changed: {changes}", zh: "配置已更新：{changes}" },
  "chat.config-rejected": {
    en: "the changed config is not used: {problem}",
    zh: "修改后的配置未被采用：{problem}",
  },
  "tools.about": { en: "list, explain and run tools", zh: "列出、说明和运行工具" },
  "tools.unknown-rule": {
    en: "a rule in the config names {name}, which is not a tool or group: it has no effect",
    zh: "配置中的规则提到 {name}，但没有这个工具或工具组：该规则不起作用",
  },
  "tools.list": { en: "list the tools", zh: "列出工具" },
  "tools.info": { en: "explain one tool", zh: "说明一个工具" },
  "tools.invoke": { en: "run one tool", zh: "运行一个工具" },
  "tools.name": { en: "the tool's name or an alias", zh: "工具的名称或别名" },
  "tools.args": { en: "arguments as a JSON object", zh: "参数，写成 JSON 对象" },
  "tools.aliases": { en: "also called: {aliases}", zh: "别名：{aliases}" },
  "tools.effect": { en: "effect: {effect}", zh: "影响：{effect}" },
  "tools.access": { en: "access: {access}", zh: "权限：{access}" },
  "tools.input": { en: "input: {schema}", zh: "输入：{schema}" },
  "sessions.about": {
    en: "list, read, export, import and delete sessions",
    zh: "列出、阅读、导出、导入和删除会话",
  },
  "sessions.list": { en: "list sessions, newest first", zh: "列出会话，最近的在前" },
  "sessions.limit": { en: "how many at most", zh: "最多多少个" },
  "sessions.after": { en: "continue after this cursor", zh: "从此游标之后继续" },
  "sessions.agent": { en: "only this agent's", zh: "只看此智能体的" },
  "sessions.search": {
    en: "only those whose key, name or first words contain this",
    zh: "只看键、名称或开头的话中包含此文本的",
  },
  "sessions.none": {
    en: "There are no sessions yet. `pincer ask` starts one.",
    zh: "还没有会话。用 `pincer ask` 开始一个。",
  },
  "sessions.messages": { en: "{count} messages", zh: "{count} 条消息" },
  "sessions.more": { en: "More: --after {after}", zh: "还有更多：--after {after}" },
  "sessions.which": { en: "session id or key", zh: "会话 id 或键" },
  "sessions.show": { en: "show the recent part of a session", zh: "显示会话最近的部分" },
  "sessions.show-limit": { en: "how many entries at most", zh: "最多多少条" },
  "sessions.export": { en: "write a session's transcript", zh: "导出会话记录" },
  "sessions.output": { en: "file to write (default: stdout)", zh: "写入的文件（默认：标准输出）" },
  "sessions.format": { en: "jsonl or markdown", zh: "jsonl 或 markdown" },
  "sessions.exported": { en: "{count} entries written to {file}", zh: "{count} 条已写入 {file}" },
  "sessions.import": {
    en: "import transcripts: files, or directories of them",
    zh: "导入会话记录：文件或其所在目录",
  },
  "sessions.import-path": { en: "transcript file or directory", zh: "会话记录文件或目录" },
  "sessions.import.restored": {
    en: "restored  {file}  {key} ({count} entries)",
    zh: "已恢复  {file}  {key}（{count} 条）",
  },
  "sessions.import.lost": {
    en: "          {count} lines could not be read and are not in it (line {line}: {reason})",
    zh: "        其中 {count} 行无法读取，未包含在内（第 {line} 行：{reason}）",
  },
  "sessions.import.exists": { en: "exists    {file}  {id}", zh: "已存在  {file}  {id}" },
  "sessions.import.skipped": { en: "skipped   {file}  {reason}", zh: "已跳过  {file}  {reason}" },
  "sessions.delete": { en: "delete a session for good", zh: "彻底删除会话" },
  "sessions.yes": { en: "do not ask", zh: "不再询问" },
  "sessions.delete-sure": {
    en: "Delete {key} with {count} messages for good?",
    zh: "彻底删除 {key}（{count} 条消息）？",
  },
  "sessions.deleted": { en: "{id} is deleted.", zh: "{id} 已删除。" },
  "sessions.not-deleted": { en: "Nothing was deleted.", zh: "没有删除任何内容。" },
  "compact.done": {
    en: "Summarised: {messages} entries are now a summary, about {before} tokens became {after}. Nothing is lost: everything stays in the session and can be searched.",
    zh: "已总结：{messages} 条记录现在以摘要代替，约 {before} 个 token 变为 {after} 个。没有丢失任何内容：全部保留在会话中，可以搜索。",
  },
  "compact.nothing": { en: "There is nothing to summarise yet.", zh: "还没有可以总结的内容。" },
  "compact.failed": {
    en: "The summary failed: {reason}\nNothing has changed; try again later.",
    zh: "无法总结：{reason}\n没有任何改动；请稍后再试。",
  },
} satisfies TextTable;
