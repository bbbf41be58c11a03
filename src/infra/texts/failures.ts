import type { TextTable } from "./table.ts";

/** What went wrong, and what to do next. */
export const failureTexts = {
  "failure.empty-input": {
    en: "The input is empty.",
    zh: "没有可问的内容：输入为空。",
  },
  "failure.input-too-large": {
    en: "The input is larger than {mebibytes} MiB.",
    zh: "输入超过 {mebibytes} MiB。",
  },
  "failure.input-too-large.hint": {
    en: "Put it into a file in the workdir and ask about that file.",
    zh: "请把它放进工作目录的文件里，再就该文件提问。",
  },
  "failure.switch": {
    en: '--{name} takes on or off, not "{value}".',
    zh: "--{name} 只接受 on 或 off，不能是“{value}”。",
  },
  "failure.one-of": { en: '"{value}" is not one of {values}.', zh: "“{value}”不在可选值 {values} 之中。" },
  "failure.args-not-json": { en: "--args is not JSON: {reason}", zh: "--args 不是 JSON：{reason}" },
  "failure.args-not-json.hint": {
    en: 'Write it like --args \'{"path":"README.md"}\'.',
    zh: '请写成 --args \'{"path":"README.md"}\' 的形式。',
  },
  "failure.file": { en: "{file}: {reason}", zh: "{file}：{reason}" },
  "failure.file-unreadable": { en: "{path} cannot be read: {reason}", zh: "无法读取 {path}：{reason}" },
  "failure.bad-key": { en: "Not a session key: {reason}", zh: "这不是会话键：{reason}" },
  "failure.session-id": {
    en: "{id} is the id of a session, not its key",
    zh: "{id} 是会话的 id，不是会话键",
  },
  "failure.session-id.hint": {
    en: "The key is in `pincer sessions list`. To go on with a session that has ended, open it in the page.",
    zh: "会话键见 `pincer sessions list`。要继续已结束的会话，请在网页中打开它。",
  },
  "failure.bad-key.hint": {
    en: "Use a plain name such as `work`, or a key such as `agent:main:telegram:dm:42`.",
    zh: "请用 `work` 这样的名称，或 `agent:main:telegram:dm:42` 这样的键。",
  },
  "failure.foreign-key": {
    en: "That session belongs to another tenant or space.",
    zh: "该会话属于其他租户或空间。",
  },
  "failure.no-agent": { en: "There is no agent {agentId}.", zh: "没有名为 {agentId} 的智能体。" },
  "failure.no-agent.hint": { en: "Known agents: {known}.", zh: "已知的智能体：{known}。" },
  "failure.no-memory": {
    en: "{path} is not a memory file that can be read here.",
    zh: "{path} 不是此处可以读取的记忆位置。",
  },
  "failure.no-memory.hint": {
    en: "memory_search lists the paths.",
    zh: "memory_search 会列出可用的位置。",
  },
  "failure.no-tool": { en: "There is no tool {name}.", zh: "没有名为 {name} 的工具。" },
  "failure.no-tool-to-allow": {
    en: "There is no tool {name} to allow.",
    zh: "没有名为 {name} 的工具可供允许。",
  },
  "failure.no-tool.hint": {
    en: "`pincer tools list` lists all tools.",
    zh: "用 `pincer tools list` 查看有哪些工具。",
  },
  "failure.no-session": { en: "There is no session {id}.", zh: "没有会话 {id}。" },
  "failure.no-session.hint": {
    en: "`pincer sessions list` lists all sessions.",
    zh: "用 `pincer sessions list` 查看有哪些会话。",
  },
  "failure.nothing-said": {
    en: "Nothing has been said in {sessionKey} yet.",
    zh: "{sessionKey} 中还没有任何内容。",
  },
  "failure.nothing-said.hint": {
    en: 'Start with `pincer chat` or `pincer ask "…"`.',
    zh: '用 `pincer chat` 或 `pincer ask "…"` 开始。',
  },
  "failure.no-home": {
    en: "The home {home} cannot be created: {reason}",
    zh: "无法创建主目录 {home}：{reason}",
  },
  "failure.no-home.hint": {
    en: "Set PINCER_HOME to a directory that you may write to.",
    zh: "请把 PINCER_HOME 设为可写的目录。",
  },
  "failure.no-database": {
    en: "There is no database in the home {home}",
    zh: "主目录 {home} 中没有数据库",
  },
  "failure.no-database.hint": {
    en: "Is its drive mounted, and is PINCER_HOME right? In a new home `pincer gateway run` makes one; if the database is lost, see `pincer doctor`.",
    zh: "所在磁盘是否已挂载，PINCER_HOME 是否正确？新主目录中 `pincer gateway run` 会创建数据库；若数据库丢失，请查看 `pincer doctor`。",
  },
  "failure.no-workdir": {
    en: "The workdir {workdir} is not a directory.",
    zh: "工作目录 {workdir} 不是目录。",
  },
  "failure.no-workdir.hint": {
    en: "Create it first, or leave out --workdir.",
    zh: "请先创建它，或去掉 --workdir。",
  },
  "failure.workdir-not-made": {
    en: "The workdir {workdir} cannot be created: {reason}",
    zh: "无法创建工作目录 {workdir}：{reason}",
  },
  "failure.workdir-not-made.hint": {
    en: "Set agents.defaults.workspace to a directory that you may write to.",
    zh: "请把 agents.defaults.workspace 设为可写的目录。",
  },
  "failure.no-credential": {
    en: "There is no credential {credential}.",
    zh: "没有凭据 {credential}。",
  },
  "failure.no-credential.hint": {
    en: "`pincer auth status` lists the stored ones; `pincer auth login <provider> --name {credential}` stores one.",
    zh: "`pincer auth status` 显示已有的凭据；用 `pincer auth login <提供方> --name {credential}` 保存一个。",
  },
  "failure.aborted": { en: "Stopped.", zh: "已停止。" },
} satisfies TextTable;
