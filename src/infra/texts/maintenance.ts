import type { TextTable } from "./table.ts";

/** Texts of status and doctor. */
export const maintenanceTexts = {
  "status.about": { en: "show what is set up, and its state", zh: "显示当前状况" },
  "status.version": { en: "Pincer", zh: "Pincer" },
  "status.home": { en: "home", zh: "主目录" },
  "status.edition": { en: "edition", zh: "版本类型" },
  "status.model": { en: "model", zh: "模型" },
  "status.model.stub": { en: "{model} (no model is connected)", zh: "{model}（尚未连接模型）" },
  "status.model.not-connected": { en: "{model} (not connected)", zh: "{model}（未连接）" },
  "status.config": { en: "config", zh: "配置" },
  "status.config.none": { en: "defaults ({file} does not exist)", zh: "默认值（{file} 不存在）" },
  "status.config.safe": {
    en: "safe mode: {file} cannot be used, defaults are in force",
    zh: "安全模式：{file} 无法使用，当前采用默认值",
  },
  "status.config.last-good": {
    en: "safe mode: {file} cannot be used, the last good config is in force",
    zh: "安全模式：{file} 无法使用，当前采用上一份有效配置",
  },
  "status.database": { en: "database", zh: "数据库" },
  "status.database.absent": { en: "none yet; the first question creates it", zh: "尚无；第一次提问时创建" },
  "status.database.next": { en: "Run `pincer doctor`.", zh: "请运行 `pincer doctor`。" },
  "status.agents": { en: "agents", zh: "智能体" },
  "status.sandbox": { en: "sandbox", zh: "沙箱" },
  "status.sandbox.everywhere": {
    en: "File tools can reach outside the workdir: restrictToWorkspace is false.",
    zh: "文件工具可访问工作目录之外：restrictToWorkspace 为 false。",
  },
  "status.workdir": { en: "workdir", zh: "工作目录" },
  "status.gateway": { en: "gateway", zh: "网关" },
  "status.gateway.stopped": { en: "not running", zh: "未运行" },
  "status.secrets": { en: "secrets", zh: "密钥" },
  "status.secrets.count": { en: "{count} stored", zh: "已保存 {count} 个" },
  "status.disk": { en: "disk free", zh: "可用磁盘" },

  "doctor.about": { en: "find and repair problems of the home", zh: "检查主目录的问题并修复" },
  "doctor.fix": {
    en: "the same as --repair --yes; deletes only leftovers of deleted sessions",
    zh: "同 --repair --yes；除已删除会话的残留外不删除任何内容",
  },
  "doctor.fixed": { en: "repaired: {what}", zh: "已修复：{what}" },
  "doctor.not-fixed": { en: "not repaired: {why}", zh: "未能修复：{why}" },
  "doctor.made": { en: "created {path}", zh: "已创建 {path}" },
  "doctor.next.fix": {
    en: "`pincer doctor --repair` repairs this.",
    zh: "`pincer doctor --repair` 可修复。",
  },
  "doctor.closing.well": { en: "All is well.", zh: "一切正常。" },
  "doctor.closing.warnings": {
    en: "No problems; warnings: {warnings}.",
    zh: "没有问题；{warnings} 条警告。",
  },
  "doctor.closing.problems": {
    en: "problems: {problems}, warnings: {warnings}. `pincer doctor --repair` repairs what it can.",
    zh: "{problems} 个问题，{warnings} 条警告。`pincer doctor --repair` 会尽可能修复。",
  },
  "doctor.closing.left": {
    en: "problems left: {problems}, warnings: {warnings}. Each says what to do next.",
    zh: "仍有 {problems} 个问题，{warnings} 条警告。各项下方写有处理办法。",
  },
  "doctor.node": { en: "Node", zh: "Node" },
  "doctor.node.ok": { en: "version {version}", zh: "版本 {version}" },
  "doctor.node.old": {
    en: "version {version} is too old; {oldest} or newer is needed",
    zh: "版本 {version} 太旧，需要 {oldest} 或更新版本",
  },
  "doctor.node.next": {
    en: "Install Node {oldest}, or set PINCER_NODE to the path of one.",
    zh: "请安装 Node {oldest}，或将 PINCER_NODE 设为其路径。",
  },
  "doctor.home": { en: "home", zh: "主目录" },
  "doctor.home.absent": { en: "{root} does not exist yet", zh: "{root} 尚不存在" },
  "doctor.home.no-directory": { en: "{root} is not a directory", zh: "{root} 不是目录" },
  "doctor.home.unusable": { en: "{root} cannot be used: {reason}", zh: "{root} 无法使用：{reason}" },
  "doctor.home.elsewhere": {
    en: "Change its owner to you, or set PINCER_HOME to a directory that you may write to.",
    zh: "请取得其权限，或将 PINCER_HOME 设为你可写的目录。",
  },
  "doctor.permissions": { en: "permissions", zh: "权限" },
  "doctor.permissions.ok": { en: "nobody else can read the home", zh: "他人无法读取主目录" },
  "doctor.permissions.open": {
    en: "others can reach {path} (mode {mode} instead of {wanted})",
    zh: "他人可访问 {path}（权限为 {mode}，应为 {wanted}）",
  },
  "doctor.permissions.foreign": {
    en: "{path} belongs to another user and others can reach it (mode {mode} instead of {wanted})",
    zh: "{path} 属于其他用户且他人可访问（权限为 {mode}，应为 {wanted}）",
  },
  "doctor.permissions.own": {
    en: "Change its owner to yourself with chown.",
    zh: "请用 chown 将其所有者改为你自己。",
  },
  "doctor.permissions.more": {
    en: "more files and directories like these: {count}",
    zh: "另有 {count} 个文件和目录",
  },
  "doctor.permissions.closed": {
    en: "files and directories now readable only by their owner: {count}",
    zh: "{count} 个文件和目录现在仅所有者可访问",
  },
  "doctor.config": { en: "config", zh: "配置" },
  "doctor.config.none": { en: "no file; defaults are in force", zh: "没有配置文件；采用默认值" },
  "doctor.config.last-good": {
    en: "safe mode: the file cannot be used, the last good config is in force",
    zh: "安全模式：文件无法使用，当前采用上一份有效配置",
  },
  "doctor.config.defaults": {
    en: "safe mode: the file cannot be used, defaults are in force",
    zh: "安全模式：文件无法使用，当前采用默认值",
  },
  "doctor.config.repair": {
    en: "Correct the line, or go back with `pincer config revert`.",
    zh: "请改正该行，或用 `pincer config revert` 退回。",
  },
  "doctor.config.tidy": {
    en: "Correct it with `pincer config set` or `unset`; until then it is ignored.",
    zh: "请用 `pincer config set` 或 `unset` 改正；在此之前会被忽略。",
  },
  "doctor.config.unlisted": {
    en: "Correct it with `pincer config set` or `unset`.",
    zh: "请用 `pincer config set` 或 `unset` 改正。",
  },
  "doctor.config.migrated": {
    en: "old key names updated in the config: {count}",
    zh: "配置中 {count} 处旧写法已更新",
  },
  "doctor.secrets": { en: "secrets", zh: "密钥" },
  "doctor.secrets.ok": { en: "{count} stored, all can be decrypted", zh: "已保存 {count} 个，均可打开" },
  "doctor.secrets.credentials": {
    en: "stored credentials that cannot be decrypted: {count} of {total} ({reason})",
    zh: "{total} 个已保存的凭据中有 {count} 个无法打开（{reason}）",
  },
  "doctor.direct-messages": { en: "direct messages", zh: "私信" },
  "doctor.direct-messages.ok": { en: "no channel is open to everybody", zh: "没有对所有人开放的频道" },
  "doctor.direct-messages.open": {
    en: "{key} is open: everybody who finds the assistant may write to it",
    zh: "{key} 为 open：任何找到助手的人都可以给它发消息",
  },
  "doctor.direct-messages.next": {
    en: "If that is not intended: `pincer config set {key} pairing`.",
    zh: "若非有意：`pincer config set {key} pairing`。",
  },
  "doctor.model": { en: "model", zh: "模型" },
  "doctor.model.ok": { en: "every configured model can be used", zh: "所有指定的模型都可以使用" },
  "doctor.model.unknown": {
    en: "{key} names {reference}, which is unknown",
    zh: "{key} 指定了 {reference}，但没有这个模型",
  },
  "doctor.model.unknown.next": {
    en: "`pincer models list --all` lists all models; `pincer models set` chooses one.",
    zh: "`pincer models list --all` 列出所有模型；用 `pincer models set` 选择一个。",
  },
  "doctor.model.no-credential": {
    en: "{key} names {reference}, but there is no credential for {provider}",
    zh: "{key} 指定了 {reference}，但没有 {provider} 的凭据",
  },
  "doctor.model.no-credential.next": {
    en: "Store one with `pincer auth login {provider}`.",
    zh: "用 `pincer auth login {provider}` 保存一个。",
  },
  "doctor.model.refused": {
    en: "{key} names {reference}, but no credential for {provider} can be used: {reason}",
    zh: "{key} 指定了 {reference}，但 {provider} 没有可用的凭据：{reason}",
  },
  "doctor.model.refused.next": {
    en: "`pincer auth test` tests them now; `pincer auth login {provider}` stores another.",
    zh: "用 `pincer auth test` 立即检查；用 `pincer auth login {provider}` 保存另一个。",
  },
  "doctor.model.no-format": {
    en: "models.providers.{provider}.api is {api}, which is not a supported format",
    zh: "models.providers.{provider}.api 为 {api}，没有这种格式",
  },
  "doctor.model.no-format.next": {
    en: "Set one of: {formats}.",
    zh: "请设为以下之一：{formats}。",
  },
  "doctor.prompt-files": { en: "prompt files", zh: "提示所用的文件" },
  "doctor.prompt-files.none": { en: "there is no workdir yet", zh: "还没有工作目录" },
  "doctor.prompt-files.left-out": {
    en: "the assistant does not see {file}: {reason}",
    zh: "助手没有被告知 {file} 的内容：{reason}",
  },
  "doctor.prompt-files.next": {
    en: "Fix or remove the file; `pincer context show` shows what is used.",
    zh: "请修正或移走该文件；`pincer context show` 显示采用了哪些内容。",
  },
  "doctor.prompt-files.no-skill": {
    en: "the config names the skill {name}, which does not exist in {path}",
    zh: "配置中提到技能 {name}，但 {path} 中没有",
  },
  "doctor.workdir": { en: "workdir", zh: "工作目录" },
  "doctor.workdir.absent": { en: "{path} does not exist yet", zh: "{path} 尚不存在" },
  "doctor.workdir.no-directory": { en: "it is not a directory", zh: "它不是目录" },
  "doctor.workdir.unusable": { en: "{path} cannot be used: {reason}", zh: "{path} 无法使用：{reason}" },
  "doctor.workdir.next": {
    en: "Make it writable, or choose another: `pincer config set agents.defaults.workspace <directory>`.",
    zh: "请使其可写，或另选：`pincer config set agents.defaults.workspace <目录>`。",
  },
  "doctor.workdir.nested": {
    en: "the workdir of {inner} ({innerPath}) is inside that of {outer} ({outerPath}): anything working in the outer one can change or replace everything in the inner one",
    zh: "{inner} 的工作目录（{innerPath}）位于 {outer} 的工作目录（{outerPath}）之内：在外层工作的智能体可以更改内层的一切，也可以用别的东西替换它",
  },
  "doctor.workdir.nested.next": {
    en: "Give each agent its own directory in agents.list, or one that both share.",
    zh: "请在 agents.list 中为每个智能体指定各自的目录，或让它们共用同一个目录。",
  },
  "doctor.disk": { en: "disk", zh: "磁盘" },
  "doctor.disk.free": { en: "{free} free at {path}", zh: "{path} 可用 {free}" },
  "doctor.disk.next": { en: "Free some space before writes fail.", zh: "请在写入失败前腾出空间。" },
  "doctor.database": { en: "database", zh: "数据库" },
  "doctor.database.ok": {
    en: "sessions: {sessions}, entries: {entries}, {size}, schema {schemaVersion}",
    zh: "{sessions} 个会话，{entries} 条记录，{size}，结构版本 {schemaVersion}",
  },
  "doctor.database.none": { en: "none yet; the first question creates it", zh: "尚无；第一次提问时创建" },
  "doctor.database.missing": {
    en: "the database is missing, although its transcripts or log exist",
    zh: "数据库缺失，但存在会话记录或其日志",
  },
  "doctor.database.damaged": { en: "the database is damaged: {problem}", zh: "数据库已损坏：{problem}" },
  "doctor.database.replace": {
    en: "`pincer doctor --repair` makes a new one of every row that can be read, and keeps the damaged file; `pincer backup restore` restores a backup.",
    zh: "`pincer doctor --repair` 会用所有可读取的行建立新数据库，并保留损坏的文件；`pincer backup restore` 可恢复备份。",
  },
  "doctor.database.later": {
    en: "Check the disk and other programs that use the database, then run the doctor again.",
    zh: "请检查磁盘以及其他使用数据库的程序，然后再次运行 doctor。",
  },
  "doctor.database.salvaged": {
    en: "transcripts completed from the readable parts: {count}",
    zh: "已用仍可读取的内容补全 {count} 份会话记录",
  },
  "doctor.database.set-aside": {
    en: "the damaged database is kept as {aside}",
    zh: "损坏的数据库保留为 {aside}",
  },
  "doctor.database.would": {
    en: "a repair keeps (rows): {kept}; it loses: {lost}",
    zh: "修复会保留（行数）：{kept}；会丢失：{lost}",
  },
  "doctor.database.repaired": {
    en: "made a new database of what can be read (rows): {kept}",
    zh: "已用可读取的内容建立新数据库（行数）：{kept}",
  },
  "doctor.database.filled": {
    en: "entries of sessions that came back from their transcripts: {count}",
    zh: "已从会话记录取回 {count} 条会话内容",
  },
  "doctor.database.entries-lost": {
    en: "entries of sessions that are lost: {count}; where they stood, the session says so",
    zh: "有 {count} 条会话内容已丢失；原处已注明",
  },
  "doctor.database.lost": { en: "lost: {lost}", zh: "丢失：{lost}" },
  "doctor.database.lost-some": {
    en: "{name} (at least {count}; what lay on the damaged pages)",
    zh: "{name}（至少 {count} 行；位于损坏页上的内容）",
  },
  "doctor.database.lost-all": { en: "everything", zh: "全部" },
  "doctor.database.lost-none": { en: "no rows", zh: "没有" },
  "doctor.database.held": {
    en: "turns that are held, because they could do something twice: {count} (`pincer deadletters list`)",
    zh: "因可能重复执行而暂停的轮次：{count}（`pincer deadletters list`）",
  },
  "doctor.database.made": { en: "created a new database", zh: "已创建新的数据库" },
  "doctor.recovery": { en: "loss", zh: "丢失" },
  "doctor.recovery.ok": { en: "nothing was lost", zh: "没有丢失" },
  "doctor.recovery.database": {
    en: "the database was lost ({at} UTC). From the copy beside it came back: {back}. Tools are off and strangers are out",
    zh: "数据库曾丢失（{at} UTC）。从旁边的副本恢复了：{back}。工具已关闭，不接待陌生人",
  },
  "doctor.recovery.damage": {
    en: "the database was damaged and could not be opened ({at} UTC); there is a new one of every row that can be read. Rules and people are complete: {back}. What waited is held. Tools are off and strangers are out",
    zh: "数据库曾损坏，无法打开（{at} UTC）；已用所有可读取的行建立新数据库。规则和人员是完整的：{back}。等待中的工作已暂停。工具已关闭，不接待陌生人",
  },
  "doctor.recovery.changes": {
    en: "the database had lost its last changes ({at} UTC). The policy is that of the copy beside it: {back}. Tools are off and strangers are out",
    zh: "数据库曾丢失最近的更改（{at} UTC）。策略取自旁边的副本：{back}。工具已关闭，不接待陌生人",
  },
  "doctor.recovery.log": {
    en: "the log of the database was lost or damaged ({at} UTC): what was said and done last may be missing. Rules and people are complete. What waited is held. Tools are off and strangers are out",
    zh: "数据库的日志曾丢失或损坏（{at} UTC）：最近说过和做过的内容可能缺失。规则和人员是完整的。等待中的工作已暂停。工具已关闭，不接待陌生人",
  },
  "doctor.recovery.older": {
    en: "the database may be older than what was there last ({at} UTC). There are now: {back}. What waited is held. Tools are off and strangers are out",
    zh: "数据库可能比最后的状态更旧（{at} UTC）。现有：{back}。等待中的工作已暂停。工具已关闭，不接待陌生人",
  },
  "doctor.recovery.in-doubt": {
    en: "The copy of the policy is gone or damaged: rules may be missing, and people and tokens may be back that you had turned away. Only owners and people whom the config names, and whoever you let in from now on, are let in",
    zh: "策略副本缺失或损坏：规则可能不全，你拒绝过的人和令牌可能又在名单中。目前只接待配置中列出的所有者和人员，以及你此后放行的人",
  },
  "doctor.recovery.next": {
    en: "Look at `pincer rules list`, `pincer pairing list` and `pincer access list`; then `pincer doctor --confirm` turns tools on again.",
    zh: "请查看 `pincer rules list`、`pincer pairing list` 和 `pincer access list`；然后用 `pincer doctor --confirm` 重新开启工具。",
  },
  "doctor.why.recovery": {
    en: "Nobody knows what else limited the assistant, so it does nothing by itself until you have looked.",
    zh: "无法得知还有哪些限制，因此在你查看之前助手不会自行行动。",
  },
  "doctor.confirm": {
    en: "confirm what came back after a loss of the database, and turn tools on again",
    zh: "确认数据库丢失后恢复的内容，并重新开启工具",
  },
  "doctor.confirm.none": { en: "There is nothing to confirm.", zh: "没有需要确认的内容。" },
  "doctor.confirm.sure": {
    en: "Came back: {back}. Turn tools on and let people in again?",
    zh: "已恢复：{back}。重新开启工具并接待访客？",
  },
  "doctor.confirm.sure-log": {
    en: "Rules and people are complete. Turn tools on and let people in again?",
    zh: "规则和人员是完整的。重新开启工具并接待访客？",
  },
  "doctor.confirm.done": {
    en: "Confirmed: tools are on, and people are let in as the config says.",
    zh: "已确认：工具已开启，并按配置接待访客。",
  },
  "doctor.sessions": { en: "sessions", zh: "会话" },
  "doctor.sessions.ok": { en: "every transcript has its session", zh: "每份会话记录都有对应的会话" },
  "doctor.sessions.none": { en: "none yet", zh: "尚无" },
  "doctor.sessions.restorable": {
    en: "sessions missing from the database that can be restored from their transcripts: {count}",
    zh: "{count} 个会话不在数据库中，但可从会话记录恢复",
  },
  "doctor.sessions.restored": {
    en: "sessions restored from their transcripts: {sessions} (entries: {entries})",
    zh: "已从会话记录恢复 {sessions} 个会话，共 {entries} 条记录",
  },
  "doctor.sessions.leftover": {
    en: "leftover transcripts of deleted sessions: {count}",
    zh: "{count} 份会话记录是已删除会话的残留",
  },
  "doctor.sessions.removed": {
    en: "transcripts of deleted sessions removed: {count}",
    zh: "已移除 {count} 份已删除会话的记录",
  },
  "doctor.sessions.unusable": { en: "{file} cannot be imported: {reason}", zh: "{file} 无法导入：{reason}" },
  "doctor.sessions.unusable.next": {
    en: "Check the file, and move it away if you do not need it.",
    zh: "请查看该文件；若不需要其内容，可将其移走。",
  },
  "doctor.transcripts": { en: "transcripts", zh: "会话记录" },
  "doctor.transcripts.ok": { en: "all are intact and complete", zh: "全部完整" },
  "doctor.transcripts.unknown": { en: "not compared: the database is not open", zh: "未比较：数据库未打开" },
  "doctor.transcripts.behind": {
    en: "shorter than their sessions: {count}",
    zh: "{count} 份落后于其会话",
  },
  "doctor.transcripts.broken": { en: "{path} is damaged: {reason}", zh: "{path} 已损坏：{reason}" },
  "doctor.transcripts.line": { en: "line {line}: {reason}", zh: "第 {line} 行：{reason}" },
  "doctor.transcripts.longer": {
    en: "{path} goes on to entry {last}, but the session in the database ends with {lastSeq}: the database has lost what follows",
    zh: "{path} 一直到第 {last} 条，而数据库中的会话止于第 {lastSeq} 条：数据库丢失了之后的内容",
  },
  "doctor.transcripts.completed": {
    en: "transcripts completed from the database: {count}",
    zh: "已从数据库补全 {count} 份会话记录",
  },
  "doctor.leases": { en: "leases", zh: "租约" },
  "doctor.leases.ok": { en: "none is left over", zh: "没有遗留" },
  "doctor.leases.dangling": {
    en: "sessions still held by processes that no longer exist ({pids}): {count}",
    zh: "{count} 个会话仍标记为由已消失的进程占用（{pids}）",
  },
  "doctor.leases.released": { en: "leases released: {count}", zh: "已释放 {count} 个租约" },
} satisfies TextTable;
