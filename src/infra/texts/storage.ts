import type { TextTable } from "./table.ts";

/** What goes wrong with the database, with transcripts and with backups, and what to do next. */
export const storageTexts = {
  "failure.database-busy": {
    en: "The database is busy: {reason} ({file})",
    zh: "数据库正忙：{reason}（{file}）",
  },
  "failure.database-busy.hint": {
    en: "Another process holds it. Try again in a moment.",
    zh: "另一个进程正在占用它。请稍后再试。",
  },
  "failure.database-damaged": {
    en: "The database file is damaged: {reason} ({file})",
    zh: "数据库文件已损坏：{reason}（{file}）",
  },
  "failure.database-damaged.hint": {
    en: "Run `pincer doctor --fix`.",
    zh: "请运行 `pincer doctor --fix`。",
  },
  "failure.disk-full": { en: "The disk is full: {reason} ({file})", zh: "磁盘已满：{reason}（{file}）" },
  "failure.disk-full.hint": {
    en: "Free some space; nothing that was confirmed is lost.",
    zh: "请腾出空间；已确认的内容都没有丢失。",
  },
  "failure.database-away": {
    en: "The database is not accessible: {reason} ({file})",
    zh: "无法访问数据库：{reason}（{file}）",
  },
  "failure.database-files": {
    en: "The database is not accessible: {reason}",
    zh: "无法访问数据库：{reason}",
  },
  "failure.database-away.hint": {
    en: "Check that the home directory exists, is writable, and that its disk is healthy.",
    zh: "请检查主目录是否存在、可写，以及磁盘是否正常。",
  },
  "recovery.rule": {
    en: "No tools: the database of this home was lost, and the owner has not looked yet (pincer doctor --confirm).",
    zh: "禁用所有工具：此主目录的数据库曾丢失，主人尚未查看（pincer doctor --confirm）。",
  },
  "recovery.back": {
    en: "rules {rules}, people {people}, grants {grants}, ways in {ways}, credentials {credentials}",
    zh: "规则 {rules}，人员 {people}，授权 {grants}，登录方式 {ways}，凭据 {credentials}",
  },
  "notice.recovery": {
    en: "The database was lost. From the copy beside it came back: {back}. Sessions come back from their transcripts; messages that waited are gone. Tools are off and strangers are out until you have looked: `pincer doctor`, then `pincer doctor --confirm`.",
    zh: "数据库已丢失。从旁边的副本恢复了：{back}。会话可从会话记录恢复；等待中的消息已丢失。在你查看之前，工具已关闭且不接待陌生人：`pincer doctor`，然后 `pincer doctor --confirm`。",
  },
  "notice.recovery-log": {
    en: "The log of the database was lost or damaged: what was said and done last may be missing from it. Rules and people are complete. What waited is held, because it may have been done since: `pincer deadletters list`. Tools are off and strangers are out until you have looked: `pincer doctor`, then `pincer doctor --confirm`.",
    zh: "数据库的日志已丢失或损坏：最近说过和做过的内容可能缺失。规则和人员是完整的。等待中的工作已暂停，因为可能已经完成过：`pincer deadletters list`。在你查看之前，工具已关闭且不接待陌生人：`pincer doctor`，然后 `pincer doctor --confirm`。",
  },
  "notice.recovery-damage": {
    en: "The database was damaged and could not be opened. There is a new one now, of every row that can be read; rules and people are complete: {back}. What waited is held, because it may have been done since: `pincer deadletters list`. Messages on damaged pages may be gone. Tools are off and strangers are out until you have looked: `pincer doctor`, then `pincer doctor --confirm`.",
    zh: "数据库已损坏，无法打开。现已用所有可读取的行建立新数据库；规则和人员是完整的：{back}。等待中的工作已暂停，因为可能已经完成过：`pincer deadletters list`。位于损坏页上的消息可能已丢失。在你查看之前，工具已关闭且不接待陌生人：`pincer doctor`，然后 `pincer doctor --confirm`。",
  },
  "notice.mended": {
    en: "The database was too damaged to be opened, and has been replaced by a new one of what can be read (rows): {kept}. Lost: {lost}. The damaged file is kept as {aside}.",
    zh: "数据库损坏严重，无法打开，已用可读取的内容建立新数据库（行数）：{kept}。丢失：{lost}。损坏的文件保留为 {aside}。",
  },
  "notice.recovery-doubt": {
    en: "The database was lost, or is older than what was there last, and the copy of its rules and people is gone or damaged. There are now: {back}. Rules may be missing, and people may be back whom you had turned away. So tools are off, and only owners and people whom the config names, and whoever you let in from now on, are heard, until you have looked: `pincer doctor`, then `pincer doctor --confirm`. `pincer access code` signs your browser in.",
    zh: "数据库已丢失，或比最后的状态更旧，而且规则和人员的副本缺失或损坏。现有：{back}。规则可能不全，你拒绝过的人可能又在名单中。因此在你查看之前，工具已关闭，只接待配置中列出的所有者和人员，以及你此后放行的人：`pincer doctor`，然后 `pincer doctor --confirm`。用 `pincer access code` 登录浏览器。",
  },
  "failure.no-answer": {
    en: "no answer within {seconds} s",
    zh: "{seconds} 秒内没有响应",
  },
  "failure.damage": { en: "{finding}", zh: "{finding}" },
  "failure.orphan-row": {
    en: "a row of {table} has no parent row",
    zh: "表 {table} 中有一行没有归属",
  },
  "failure.database-closed": { en: "The database has been closed.", zh: "数据库已关闭。" },
  "failure.disk-lost": {
    en: "The disk did not confirm a write: {reason} ({file})",
    zh: "磁盘没有确认写入：{reason}（{file}）",
  },
  "failure.disk-lost.hint": {
    en: "Check the disk, then start Pincer again: it continues from what was confirmed.",
    zh: "请检查磁盘，然后重新启动 Pincer：它会从已确认的内容继续。",
  },
  "failure.no-shared-memory": {
    en: "{file} is on a file system without shared memory.",
    zh: "{file} 所在的文件系统不支持共享内存。",
  },
  "failure.no-shared-memory.hint": {
    en: "Put the home on a local disk: PINCER_HOME moves it.",
    zh: "请把主目录放在本地磁盘上：用 PINCER_HOME 更改位置。",
  },
  "failure.database-too-new": {
    en: "The database has schema version {version}; this Pincer knows {newest}.",
    zh: "数据库的结构版本为 {version}，而此 Pincer 只支持到 {newest}。",
  },
  "failure.database-too-new.hint": {
    en: "A newer Pincer has used this home. Upgrade this one, or point PINCER_HOME elsewhere.",
    zh: "更新版本的 Pincer 用过此主目录。请升级，或将 PINCER_HOME 指向别处。",
  },
  "failure.copy-too-new": {
    en: "The copy has schema version {version}; this Pincer knows {newest}.",
    zh: "副本的结构版本为 {version}，而此 Pincer 只支持到 {newest}。",
  },
  "failure.copy-too-new.hint": {
    en: "A newer Pincer created it. Upgrade this one first. Nothing was changed.",
    zh: "它由更新版本的 Pincer 创建。请先升级。没有改动任何内容。",
  },
  "failure.database-written-to": {
    en: "Another process keeps writing to {file}.",
    zh: "另一个进程一直在写入 {file}。",
  },
  "failure.database-written-to.hint": {
    en: "Stop it, or try again when it is done. Nothing was changed.",
    zh: "请停止它，或等它完成后再试。没有改动任何内容。",
  },
  "failure.database-open": {
    en: "{file} is open in process {pids}.",
    zh: "{file} 正被进程 {pids} 打开。",
  },
  "failure.database-open.hint": {
    en: "Stop that process first; nothing was changed.",
    zh: "请先停止该进程；没有改动任何内容。",
  },
  "failure.memory-only": {
    en: "These stores are in memory: there is no file to copy.",
    zh: "数据只在内存中：没有可复制的文件。",
  },
  "failure.lost-lease": {
    en: "Someone else has taken over the session.",
    zh: "会话已被他人接管。",
  },
  "failure.lost-lease.hint": {
    en: "Nothing was written. Send the message again.",
    zh: "没有写入任何内容。请重新发送消息。",
  },
  "failure.session-busy": {
    en: "The session has been held by process {pid} on {host} since {since}.",
    zh: "会话自 {since} 起被 {host} 上的进程 {pid} 占用。",
  },
  "failure.session-busy.hint": {
    en: "Wait until it has answered, or stop that process, and try again.",
    zh: "请等它答完，或停止该进程，然后再试。",
  },
  "failure.bad-page": {
    en: '"{cursor}" is not a page of the session list.',
    zh: "“{cursor}”不是会话列表的页。",
  },
  "failure.bad-page.hint": {
    en: "Use the value of `next` from the previous page, or leave it out to start over.",
    zh: "请使用上一页的 `next` 值，或省略它从头开始。",
  },
  "failure.unsafe-id": {
    en: "This session's id cannot name a file.",
    zh: "此会话的 id 不能用作文件名。",
  },
  "failure.transcript-no-space": {
    en: "There is no space left for {path}.",
    zh: "没有空间写入 {path}。",
  },
  "failure.transcript-no-space.hint": {
    en: "Free some disk space; nothing is lost.",
    zh: "请腾出磁盘空间；没有丢失任何内容。",
  },
  "failure.transcript-not-written": {
    en: "The transcript {path} could not be written ({code}).",
    zh: "无法写入会话记录 {path}（{code}）。",
  },
  "failure.transcript-not-written.hint": {
    en: "Check who owns the directory; the session itself is safe in the database.",
    zh: "请检查目录的所有者；会话本身在数据库中是安全的。",
  },
  "failure.transcript-no-file": {
    en: "{path} is not a plain file, so nothing is written there.",
    zh: "{path} 不是普通文件，因此不会写入。",
  },
  "failure.transcript-no-file.hint": {
    en: "Move it away; the transcript is written again from the database.",
    zh: "请将它移走；会话记录会从数据库重新写出。",
  },
  "failure.transcript-headless": {
    en: "The transcript cannot be imported: it does not start with its session entry.",
    zh: "无法导入会话记录：它不以会话条目开头。",
  },
  "failure.transcript-disorder": {
    en: "The transcript cannot be imported: entry {seq} is out of order.",
    zh: "无法导入会话记录：第 {seq} 条顺序不对。",
  },
  "failure.transcript-unusable.hint": {
    en: "Repair it first, or import another copy.",
    zh: "请先修复它，或从另一份副本导入。",
  },
  "failure.name-taken": { en: "{path} already exists.", zh: "{path} 已存在。" },
  "failure.name-taken.hint": {
    en: "Choose another name: a backup never overwrites anything.",
    zh: "请换一个名称：备份从不覆盖任何内容。",
  },
  "failure.copy-damaged": { en: "The copy is not intact.", zh: "副本不完整。" },
  "failure.copy-damaged.hint": {
    en: "Run `pincer doctor` to see whether the database itself is damaged.",
    zh: "请运行 `pincer doctor`，查看数据库本身是否损坏。",
  },
  "failure.backup-too-new": {
    en: "{directory} is a backup of format {version}; this Pincer knows {known}.",
    zh: "{directory} 是格式 {version} 的备份，而此 Pincer 只支持到 {known}。",
  },
  "failure.backup-too-new.hint": {
    en: "A newer Pincer created it. Upgrade this one first.",
    zh: "它由更新版本的 Pincer 创建。请先升级。",
  },
  "failure.backup-no-manifest": {
    en: "The {manifest} in {directory} is not a backup manifest.",
    zh: "{directory} 中的 {manifest} 不是备份清单。",
  },
  "failure.backup-no-file": { en: "{path} is not a plain file.", zh: "{path} 不是普通文件。" },
  "failure.backup-incomplete": {
    en: "{directory} is not a complete backup: it has no {manifest}.",
    zh: "{directory} 不是完整的备份：缺少 {manifest}。",
  },
  "failure.backup-no-json": {
    en: "The {manifest} in {directory} is not JSON: {reason}",
    zh: "{directory} 中的 {manifest} 不是 JSON：{reason}",
  },
  "failure.backup.hint": {
    en: "`pincer backup list` lists the backups of this home.",
    zh: "用 `pincer backup list` 查看此主目录的备份。",
  },
  "failure.backup-unusable": {
    en: "The backup cannot be used: {problems}",
    zh: "备份无法使用：{problems}",
  },
  "failure.backup-unusable.hint": {
    en: "Nothing was changed. `pincer backup list` lists the others.",
    zh: "没有改动任何内容。用 `pincer backup list` 查看其他备份。",
  },
  "transcript.flaw.checksum": { en: "its checksum is missing or wrong", zh: "校验和缺失或不符" },
  "transcript.flaw.no-object": { en: "it is not a JSON object", zh: "不是 JSON 对象" },
  "transcript.flaw.seq": { en: "its seq is not a positive integer", zh: "seq 不是正整数" },
  "transcript.flaw.time": {
    en: "its time is not RFC 3339 in UTC with milliseconds",
    zh: "time 不是带毫秒的 UTC RFC 3339 时间",
  },
  "transcript.flaw.body": { en: "it is not a valid {kind} entry", zh: "不是有效的 {kind} 条目" },
  "transcript.flaw.too-long": { en: "it is too long to be an entry", zh: "太长，不可能是条目" },
  "transcript.flaw.no-text": { en: "it is not UTF-8", zh: "不是 UTF-8" },
  "transcript.flaw.joined": { en: "{count} entries are on one line", zh: "一行中有 {count} 个条目" },
  "transcript.flaw.repeated": { en: "entry {seq} is repeated", zh: "第 {seq} 条已经有了" },
  "transcript.flaw.behind": {
    en: "entry {seq} comes after entry {highest}",
    zh: "第 {seq} 条排在第 {highest} 条之后",
  },
  "transcript.flaw.second-header": {
    en: "entry {seq} is a header, but only entry 1 may be one",
    zh: "第 {seq} 条是会话条目，而只有第 1 条可以是",
  },
  "transcript.flaw.first-missing": {
    en: "the session entry at the start is missing",
    zh: "缺少应在最前面的会话条目",
  },
  "transcript.flaw.header-made": {
    en: "the session entry was recreated from the location of the file",
    zh: "会话条目已根据文件所在位置重建",
  },
  "transcript.flaw.gap": { en: "entry {from} is missing", zh: "缺少第 {from} 条" },
  "transcript.flaw.gaps": { en: "entries {from} to {to} are missing", zh: "缺少第 {from} 至 {to} 条" },
  "transcript.flaw.session-id": { en: "its session id cannot name a file", zh: "会话 id 不能用作文件名" },
  "transcript.flaw.agent-id": { en: "its agent id is not valid", zh: "智能体 id 无效" },
  "transcript.flaw.tenant": { en: "it belongs to another tenant", zh: "它属于其他租户" },
  "transcript.flaw.key": { en: "its session key is not valid", zh: "会话键无效" },
  "transcript.flaw.key-agent": { en: "its session key names another agent", zh: "会话键指向另一个智能体" },
  "transcript.flaw.no-file": { en: "it is not a file", zh: "不是文件" },
  "transcript.flaw.headless": { en: "it has no session entry", zh: "没有会话条目" },
  "transcript.flaw.directory": {
    en: "its directory is not named after an agent",
    zh: "所在目录的名称不是智能体的名称",
  },
  "transcript.flaw.name": { en: "it is not named after a session", zh: "文件名不是会话的名称" },
  "transcript.flaw.other-session": {
    en: "its session entry names another session than the file",
    zh: "会话条目与文件名所指的会话不同",
  },
  "transcript.flaw.other-agent": {
    en: "its session entry names another agent than the directory",
    zh: "会话条目与目录所指的智能体不同",
  },
} satisfies TextTable;
