import type { TextTable } from "./table.ts";

export const backupTexts = {
  "backup.about": { en: "create, verify, list and restore backups", zh: "创建、校验、列出和恢复备份" },
  "backup.directory": { en: "the backup's directory", zh: "备份目录" },
  "backup.create": {
    en: "back up sessions, config and secrets; the workdir is not included",
    zh: "备份会话、配置和密钥；不含工作目录",
  },
  "backup.create.directory": {
    en: "where to put it; must not exist (default: in the home, named after the time)",
    zh: "存放位置，不得已存在（默认：主目录内，以时间命名）",
  },
  "backup.with-key": {
    en: "include the key of the secrets: anyone who has the backup can then decrypt them",
    zh: "同时放入密钥的解锁钥匙：得到备份的人即可打开它们",
  },
  "backup.create.working": { en: "copying", zh: "正在复制" },
  "backup.create.done": {
    en: "The backup is complete. Sessions: {sessions}, entries: {entries}.",
    zh: "备份完成：{sessions} 个会话，{entries} 条记录。",
  },
  "backup.create.no-workdir": {
    en: "The workdir is not included: back it up like your other files.",
    zh: "其中不含工作目录：请像备份其他文件一样备份它。",
  },
  "backup.create.key-in": {
    en: "It contains the key of the secrets: keep it as safe as the secrets themselves.",
    zh: "其中含有密钥的解锁钥匙：请像保管密钥本身一样保管它。",
  },
  "backup.create.key-out": {
    en: "It contains the secrets encrypted, without their key: keep secret.key or PINCER_SECRET_KEY elsewhere, or use --with-key.",
    zh: "密钥以加密形式保存，不含解锁钥匙：请另行保管 secret.key 或 PINCER_SECRET_KEY，或使用 --with-key。",
  },
  "backup.verify": { en: "check that a backup is intact", zh: "校验备份是否完整" },
  "backup.verify.working": { en: "checking", zh: "正在校验" },
  "backup.verify.whole": { en: "{directory} is intact.", zh: "{directory} 完整。" },
  "backup.verify.damaged": { en: "{directory} is damaged. Do not rely on it.", zh: "{directory} 不可依赖。" },
  "backup.problem.size": {
    en: "{name} has {size} bytes instead of {expected}.",
    zh: "{name} 有 {size} 字节，应为 {expected} 字节。",
  },
  "backup.problem.changed": {
    en: "{name} was changed: its checksum does not match.",
    zh: "{name} 已被改动：校验和不符。",
  },
  "backup.problem.missing": { en: "{name} is missing.", zh: "缺少 {name}。" },
  "backup.problem.unreadable": { en: "{name} cannot be read: {reason}", zh: "无法读取 {name}：{reason}" },
  "backup.problem.stranger": { en: "{name} does not belong to the backup.", zh: "{name} 不属于该备份。" },
  "backup.problem.contradiction": {
    en: "The manifest contradicts itself about core.db.",
    zh: "清单中关于 core.db 的内容自相矛盾。",
  },
  "backup.problem.damaged": { en: "core.db is damaged: {problem}", zh: "core.db 已损坏：{problem}" },
  "backup.problem.count": {
    en: "core.db has {kind} {found} instead of {expected}.",
    zh: "core.db 的 {kind} 为 {found}，应为 {expected}。",
  },
  "backup.problem.unusable": { en: "core.db cannot be used: {reason}", zh: "core.db 无法使用：{reason}" },
  "backup.restore": {
    en: "restore a backup; the current state is backed up first",
    zh: "恢复备份；会先备份当前状态",
  },
  "backup.restore.working": { en: "restoring", zh: "正在恢复" },
  "backup.restore.sure": {
    en: "Restore the backup of {createdAt} (sessions: {sessions})? Everything later is undone.",
    zh: "回到 {createdAt} 的备份（{sessions} 个会话）？之后的一切都将撤销。",
  },
  "backup.restore.not": { en: "Nothing was restored.", zh: "没有恢复任何内容。" },
  "backup.restore.done": {
    en: "Restored the backup of {createdAt}. Sessions: {sessions}, entries: {entries}.",
    zh: "{createdAt} 的备份已恢复：{sessions} 个会话，{entries} 条记录。",
  },
  "backup.restore.before": { en: "The previous state is kept in {before}", zh: "之前的状态保存在 {before}" },
  "backup.restore.no-config": {
    en: "The backup contains no config; the current one stays.",
    zh: "备份中没有配置；保留当前配置。",
  },
  "backup.restore.locked": {
    en: "The secrets are restored, but the key here does not decrypt them: provide their secret.key or PINCER_SECRET_KEY.",
    zh: "密钥已恢复，但此处的解锁钥匙打不开它们：请提供其 secret.key 或 PINCER_SECRET_KEY。",
  },
  "backup.restore.held": {
    en: "{turns} turns and {sends} replies were waiting then and might be done twice, so they are held: `pincer deadletters list`, `pincer outbox list`. `pincer deadletters retry held` runs the turns, `pincer deadletters drop held` drops them.",
    zh: "当时有 {turns} 个轮次和 {sends} 条回复在等待，可能会重复执行，因此已暂停：`pincer deadletters list`、`pincer outbox list`。`pincer deadletters retry held` 执行这些轮次，`pincer deadletters drop held` 放弃它们。",
  },
  "backup.restore.policy": {
    en: "Rules, people, grants and tokens are those of the backup again. Rules set since and gone: {rulesGone}; removed since and back: {rulesBack}. Taken away since and valid again: owners {ownersBack}, people {peopleBack}, tokens and devices {accessBack}, grants {grantsBack}. Check `pincer rules list`, `pincer access list` and `pincer pairing list`.",
    zh: "规则、人员、授权和令牌已恢复为备份时的状态。此后设置、现已消失的规则：{rulesGone}；此后删除、现已恢复的规则：{rulesBack}。此后撤销、现又有效：所有者 {ownersBack}，人员 {peopleBack}，令牌和设备 {accessBack}，授权 {grantsBack}。请检查 `pincer rules list`、`pincer access list` 和 `pincer pairing list`。",
  },
  "backup.restore.policy-unknown": {
    en: "Rules, people, grants and tokens are those of the backup again, and there is nothing to compare them with: what was revoked since is valid again, and rules set since are gone. Check `pincer rules list`, `pincer access list` and `pincer pairing list`.",
    zh: "规则、人员、授权和令牌已恢复为备份时的状态，且无从比较：此后撤销的又有效，此后设置的规则已消失。请检查 `pincer rules list`、`pincer access list` 和 `pincer pairing list`。",
  },
  "backup.restore.kept": {
    en: "The secrets were not restored: the key here does not decrypt those of the backup. The current ones stay.",
    zh: "密钥未恢复：此处的解锁钥匙打不开备份中的密钥。保留当前密钥。",
  },
  "backup.restore.aside": {
    en: "Transcripts of what was undone, kept beside the others as .bak files: {count}.",
    zh: "被撤销内容的 {count} 份会话记录以 .bak 文件保留在原处。",
  },
  "backup.restore.behind": {
    en: "Transcripts that could not be updated: {count}; `pincer doctor --fix` updates them.",
    zh: "{count} 份会话记录未能同步；`pincer doctor --fix` 可处理。",
  },
  "backup.list": { en: "list the backups of this home", zh: "列出此主目录的备份" },
  "backup.list.none": {
    en: "There are no backups yet. `pincer backup create` creates one.",
    zh: "还没有备份。用 `pincer backup create` 创建。",
  },
  "backup.list.partial": {
    en: "interrupted, not a backup; you can remove it",
    zh: "创建中断，不是备份；可删除",
  },
  "backup.list.sessions": { en: "sessions: {count}", zh: "{count} 个会话" },
} satisfies TextTable;
