import type { TextTable } from "./table.ts";

/** Texts of status, doctor and backups. */
export const maintenanceTexts = {
  "status.about": { en: "show what is there and how it is doing", zh: "显示当前状况" },
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
  "status.database.absent": { en: "none yet; the first question makes it", zh: "尚无；第一次提问时创建" },
  "status.agents": { en: "agents", zh: "agent" },
  "status.workdir": { en: "workdir", zh: "工作目录" },
  "status.gateway": { en: "gateway", zh: "网关" },
  "status.gateway.running": { en: "running", zh: "运行中" },
  "status.gateway.stopped": { en: "not running", zh: "未运行" },
  "status.secrets": { en: "secrets", zh: "密钥" },
  "status.secrets.count": { en: "{count} stored", zh: "已保存 {count} 个" },
  "status.disk": { en: "disk free", zh: "可用磁盘" },

  "doctor.about": { en: "find what is wrong with the home, and repair it", zh: "检查主目录的问题并修复" },
  "doctor.fix": {
    en: "repair what can be repaired; deletes nothing but what is left of sessions that were deleted",
    zh: "修复可修复的问题；除已删除会话的残留外不删除任何内容",
  },
  "doctor.fixed": { en: "repaired: {what}", zh: "已修复：{what}" },
  "doctor.not-fixed": { en: "not repaired: {why}", zh: "未能修复：{why}" },
  "doctor.made": { en: "{path} was made", zh: "已创建 {path}" },
  "doctor.next.fix": { en: "`pincer doctor --fix` repairs this.", zh: "`pincer doctor --fix` 可修复。" },
  "doctor.closing.well": { en: "All is well.", zh: "一切正常。" },
  "doctor.closing.warnings": { en: "No problems; {warnings} warnings.", zh: "没有问题；{warnings} 条警告。" },
  "doctor.closing.problems": {
    en: "{problems} problems, {warnings} warnings. `pincer doctor --fix` repairs what it can.",
    zh: "{problems} 个问题，{warnings} 条警告。`pincer doctor --fix` 会尽可能修复。",
  },
  "doctor.closing.left": {
    en: "{problems} problems are left, {warnings} warnings. What to do stands below each.",
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
    en: "Make it yours, or set PINCER_HOME to a directory that you may write to.",
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
    en: "Change its owner: chown it to yourself.",
    zh: "请用 chown 将其所有者改为你自己。",
  },
  "doctor.permissions.more": {
    en: "and {count} more files and directories",
    zh: "另有 {count} 个文件和目录",
  },
  "doctor.permissions.closed": {
    en: "{count} files and directories are now for their owner alone",
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
    en: "Correct it with `pincer config set` or `unset`; until then it is passed over.",
    zh: "请用 `pincer config set` 或 `unset` 改正；在此之前会被忽略。",
  },
  "doctor.config.migrated": {
    en: "{count} old spellings in the config were brought up to date",
    zh: "配置中 {count} 处旧写法已更新",
  },
  "doctor.secrets": { en: "secrets", zh: "密钥" },
  "doctor.secrets.ok": { en: "{count} stored, all can be opened", zh: "已保存 {count} 个，均可打开" },
  "doctor.direct-messages": { en: "direct messages", zh: "私信" },
  "doctor.direct-messages.ok": { en: "no channel is open to everybody", zh: "没有对所有人开放的频道" },
  "doctor.direct-messages.open": {
    en: "{key} is open: everybody who finds the assistant may write to it",
    zh: "{key} 为 open：任何找到助手的人都可以给它写信",
  },
  "doctor.direct-messages.next": {
    en: "Unless that is meant: `pincer config set {key} pairing`.",
    zh: "若非有意：`pincer config set {key} pairing`。",
  },
  "doctor.workdir": { en: "workdir", zh: "工作目录" },
  "doctor.workdir.absent": { en: "{path} does not exist yet", zh: "{path} 尚不存在" },
  "doctor.workdir.no-directory": { en: "it is not a directory", zh: "它不是目录" },
  "doctor.workdir.unusable": { en: "{path} cannot be used: {reason}", zh: "{path} 无法使用：{reason}" },
  "doctor.workdir.next": {
    en: "Make it writable, or choose another: `pincer config set agents.defaults.workspace <directory>`.",
    zh: "请使其可写，或另选：`pincer config set agents.defaults.workspace <目录>`。",
  },
  "doctor.disk": { en: "disk", zh: "磁盘" },
  "doctor.disk.free": { en: "{free} free at {path}", zh: "{path} 可用 {free}" },
  "doctor.disk.next": { en: "Free some space before writes fail.", zh: "请在写入失败前腾出空间。" },
  "doctor.database": { en: "database", zh: "数据库" },
  "doctor.database.ok": {
    en: "{sessions} sessions, {entries} entries, {size}, schema {schemaVersion}",
    zh: "{sessions} 个会话，{entries} 条记录，{size}，结构版本 {schemaVersion}",
  },
  "doctor.database.none": { en: "none yet; the first question makes it", zh: "尚无；第一次提问时创建" },
  "doctor.database.missing": {
    en: "the database is missing, although there are transcripts or a log of it",
    zh: "数据库缺失，但存在会话记录或其日志",
  },
  "doctor.database.damaged": { en: "the database is damaged: {problem}", zh: "数据库已损坏：{problem}" },
  "doctor.database.replace": {
    en: "`pincer doctor --fix` sets it aside and rebuilds it from the transcripts; `pincer backup restore` brings back a backup.",
    zh: "`pincer doctor --fix` 会将其移开并从会话记录重建；`pincer backup restore` 可恢复备份。",
  },
  "doctor.database.later": {
    en: "Check the disk and what else uses the database, then run the doctor again.",
    zh: "请检查磁盘以及其他使用数据库的程序，然后再次运行 doctor。",
  },
  "doctor.database.salvaged": {
    en: "{count} transcripts were completed from what could still be read",
    zh: "已用仍可读取的内容补全 {count} 份会话记录",
  },
  "doctor.database.set-aside": {
    en: "the damaged database is kept as {aside}",
    zh: "损坏的数据库保留为 {aside}",
  },
  "doctor.database.made": { en: "a new database was made", zh: "已创建新的数据库" },
  "doctor.sessions": { en: "sessions", zh: "会话" },
  "doctor.sessions.ok": { en: "every transcript has its session", zh: "每份会话记录都有对应的会话" },
  "doctor.sessions.none": { en: "none yet", zh: "尚无" },
  "doctor.sessions.restorable": {
    en: "{count} sessions are not in the database but can be brought back from their transcripts",
    zh: "{count} 个会话不在数据库中，但可从会话记录恢复",
  },
  "doctor.sessions.restored": {
    en: "{sessions} sessions came back from their transcripts, with {entries} entries",
    zh: "已从会话记录恢复 {sessions} 个会话，共 {entries} 条记录",
  },
  "doctor.sessions.leftover": {
    en: "{count} transcripts are left over from sessions that were deleted",
    zh: "{count} 份会话记录是已删除会话的残留",
  },
  "doctor.sessions.removed": {
    en: "{count} transcripts of deleted sessions were removed",
    zh: "已移除 {count} 份已删除会话的记录",
  },
  "doctor.sessions.unusable": { en: "{file} cannot be taken in: {reason}", zh: "{file} 无法导入：{reason}" },
  "doctor.sessions.unusable.next": {
    en: "Look at the file, and move it away if nothing in it is needed.",
    zh: "请查看该文件；若不需要其内容，可将其移走。",
  },
  "doctor.transcripts": { en: "transcripts", zh: "会话记录" },
  "doctor.transcripts.ok": { en: "all are whole and complete", zh: "全部完整" },
  "doctor.transcripts.unknown": { en: "not compared: the database is not open", zh: "未比较：数据库未打开" },
  "doctor.transcripts.behind": {
    en: "{count} are shorter than their sessions",
    zh: "{count} 份落后于其会话",
  },
  "doctor.transcripts.broken": { en: "{path} is damaged: {reason}", zh: "{path} 已损坏：{reason}" },
  "doctor.transcripts.completed": {
    en: "{count} transcripts were completed from the database",
    zh: "已从数据库补全 {count} 份会话记录",
  },
  "doctor.leases": { en: "leases", zh: "租约" },
  "doctor.leases.ok": { en: "none is left behind", zh: "没有遗留" },
  "doctor.leases.dangling": {
    en: "{count} sessions are still marked as held by processes that are gone ({pids})",
    zh: "{count} 个会话仍标记为由已消失的进程占用（{pids}）",
  },
  "doctor.leases.released": { en: "{count} leases were released", zh: "已释放 {count} 个租约" },

  "backup.about": { en: "make, check, list and restore backups", zh: "创建、校验、列出和恢复备份" },
  "backup.directory": { en: "the backup's directory", zh: "备份目录" },
  "backup.create": {
    en: "make a backup of sessions, config and secrets; the workdir is not part of it",
    zh: "备份会话、配置和密钥；不含工作目录",
  },
  "backup.create.directory": {
    en: "where to put it; must not exist (default: in the home, named after the time)",
    zh: "存放位置，不得已存在（默认：主目录内，以时间命名）",
  },
  "backup.with-key": {
    en: "put the key of the secrets in, too: whoever has the backup can then open them",
    zh: "同时放入密钥的解锁钥匙：得到备份的人即可打开它们",
  },
  "backup.create.working": { en: "copying", zh: "正在复制" },
  "backup.create.done": {
    en: "The backup is complete: {sessions} sessions, {entries} entries.",
    zh: "备份完成：{sessions} 个会话，{entries} 条记录。",
  },
  "backup.create.no-workdir": {
    en: "The workdir is not part of it: back it up as you do your other files.",
    zh: "其中不含工作目录：请像备份其他文件一样备份它。",
  },
  "backup.create.key-in": {
    en: "It holds the key of the secrets: keep it as safe as the secrets themselves.",
    zh: "其中含有密钥的解锁钥匙：请像保管密钥本身一样保管它。",
  },
  "backup.create.key-out": {
    en: "The secrets are in it encrypted, without their key: keep secret.key or PINCER_SECRET_KEY elsewhere, or use --with-key.",
    zh: "密钥以加密形式保存，不含解锁钥匙：请另行保管 secret.key 或 PINCER_SECRET_KEY，或使用 --with-key。",
  },
  "backup.verify": { en: "check that a backup is whole", zh: "校验备份是否完整" },
  "backup.verify.working": { en: "checking", zh: "正在校验" },
  "backup.verify.whole": { en: "{directory} is whole.", zh: "{directory} 完整。" },
  "backup.verify.damaged": { en: "{directory} must not be relied on.", zh: "{directory} 不可依赖。" },
  "backup.restore": {
    en: "bring a backup back; the present state is backed up first",
    zh: "恢复备份；会先备份当前状态",
  },
  "backup.restore.working": { en: "restoring", zh: "正在恢复" },
  "backup.restore.sure": {
    en: "Go back to the backup of {createdAt} with {sessions} sessions? Everything later is undone.",
    zh: "回到 {createdAt} 的备份（{sessions} 个会话）？之后的一切都将撤销。",
  },
  "backup.restore.not": { en: "Nothing was restored.", zh: "没有恢复任何内容。" },
  "backup.restore.done": {
    en: "The backup of {createdAt} is back: {sessions} sessions, {entries} entries.",
    zh: "{createdAt} 的备份已恢复：{sessions} 个会话，{entries} 条记录。",
  },
  "backup.restore.before": { en: "The state before is kept in {before}", zh: "之前的状态保存在 {before}" },
  "backup.restore.no-config": {
    en: "The backup holds no config; the present one stays.",
    zh: "备份中没有配置；保留当前配置。",
  },
  "backup.restore.locked": {
    en: "The secrets are back, but the key that is here does not open them: bring their secret.key or PINCER_SECRET_KEY.",
    zh: "密钥已恢复，但此处的解锁钥匙打不开它们：请提供其 secret.key 或 PINCER_SECRET_KEY。",
  },
  "backup.restore.kept": {
    en: "The secrets were not brought back: the key that is here does not open those of the backup. The present ones stay.",
    zh: "密钥未恢复：此处的解锁钥匙打不开备份中的密钥。保留当前密钥。",
  },
  "backup.restore.aside": {
    en: "{count} transcripts of what was undone are kept beside the others, as .bak files.",
    zh: "被撤销内容的 {count} 份会话记录以 .bak 文件保留在原处。",
  },
  "backup.restore.behind": {
    en: "{count} transcripts could not be brought in step; `pincer doctor --fix` does it.",
    zh: "{count} 份会话记录未能同步；`pincer doctor --fix` 可处理。",
  },
  "backup.list": { en: "list the backups of this home", zh: "列出此主目录的备份" },
  "backup.list.none": {
    en: "There are no backups yet. `pincer backup create` makes one.",
    zh: "还没有备份。用 `pincer backup create` 创建。",
  },
  "backup.list.partial": {
    en: "interrupted, not a backup; can be removed",
    zh: "创建中断，不是备份；可删除",
  },
  "backup.list.sessions": { en: "{count} sessions", zh: "{count} 个会话" },
} satisfies TextTable;
