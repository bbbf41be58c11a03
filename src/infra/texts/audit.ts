import type { TextTable } from "./table.ts";

/** The audit log at a terminal, and runs that are played again. */
export const auditTexts = {
  "audit.about": {
    en: "who did what, and whether the audit log is intact",
    zh: "查看谁做了什么，并检验记录是否完整",
  },
  "audit.query": { en: "list records, newest first", zh: "列出记录，最新在前" },
  "audit.session": { en: "only this session key", zh: "只列出该会话键的记录" },
  "audit.run": { en: "only this run", zh: "只列出该次运行的记录" },
  "audit.actor": {
    en: "only actions of this actor, such as cli:owner",
    zh: "只列出该操作者的记录，例如 cli:owner",
  },
  "audit.action": { en: "only this kind of action, such as tool-call", zh: "只列出该类操作，例如 tool-call" },
  "audit.from": { en: "from this day or time on (2026-01-31)", zh: "从该日期或时刻起（2026-01-31）" },
  "audit.to": { en: "up to the end of this day, or this time", zh: "到该日期结束，或到该时刻" },
  "audit.none": { en: "No matching records.", zh: "没有这样的记录。" },
  "audit.verify": {
    en: "check that nothing was changed, removed, moved or added",
    zh: "检验记录没有被修改、删除、移动或添加",
  },
  "audit.verify.ok": {
    en: "The audit log is intact: {rows} records up to {seq}, anchored up to {anchored}.",
    zh: "审计日志完整：共 {rows} 条记录，到第 {seq} 条，锚定到第 {anchored} 条。",
  },
  "audit.verify.empty": { en: "Nothing was recorded yet.", zh: "还没有任何记录。" },
  "audit.verify.head": {
    en: "Note this down elsewhere: {seq} {digest}",
    zh: "建议另行保存：{seq} {digest}",
  },
  "audit.verify.broken": { en: "The audit log is NOT intact:", zh: "审计日志不完整：" },
  "audit.export": {
    en: "copy records to keep them elsewhere; the export itself is recorded",
    zh: "导出记录以便另存；导出本身也会被记录",
  },
  "audit.format": { en: "jsonl or csv", zh: "jsonl 或 csv" },
  "audit.file": {
    en: "write them to this new file instead of standard output",
    zh: "写入该新文件，而不是标准输出",
  },
  "audit.not-format": {
    en: "{format} is not a format; use jsonl or csv",
    zh: "{format} 不是可用格式：jsonl 或 csv",
  },
  "audit.exported": { en: "Wrote {count} records to {file}.", zh: "{count} 条记录已写入 {file}。" },
  "audit.file-exists": { en: "{file} already exists.", zh: "{file} 已存在。" },
  "audit.file-exists.hint": {
    en: "Name another file, or remove that one.",
    zh: "换一个文件名，或先删除它。",
  },

  "audit.problem.edited": { en: "record {seq} was changed", zh: "第 {seq} 条记录被修改" },
  "audit.problem.dropped": {
    en: "records {seq} to {toSeq} are missing",
    zh: "第 {seq} 至 {toSeq} 条记录不见了",
  },
  "audit.problem.dropped-at-end": {
    en: "records {seq} to {toSeq} are missing at the end",
    zh: "末尾的第 {seq} 至 {toSeq} 条记录不见了",
  },
  "audit.problem.reordered": { en: "record {seq} is out of order", zh: "第 {seq} 条记录不在原来的位置" },
  "audit.problem.inserted": {
    en: "somebody inserted records near {seq}",
    zh: "有人在第 {seq} 条附近插入了记录",
  },
  "audit.problem.rewritten": {
    en: "the records up to {seq} differ from what was sealed",
    zh: "到第 {seq} 条为止的内容与封存时不符",
  },
  "audit.problem.head-missing": { en: "the head of the chain is missing", zh: "链的末端标记不见了" },
  "audit.problem.head-forged": {
    en: "the seal at the end of the chain ({seq}) was not made by this home",
    zh: "链末端（第 {seq} 条）的封印不是本主目录所做",
  },
  "audit.problem.wrong-key": {
    en: "it was sealed with another key; restore secret.key or PINCER_SECRET_KEY",
    zh: "它是用另一把密钥封存的；请恢复 secret.key 或 PINCER_SECRET_KEY",
  },
  "audit.problem.no-key": {
    en: "the key of this home cannot be read, so no seal can be checked",
    zh: "无法打开本主目录的密钥，因此无法检验封印",
  },
  "audit.problem.written-without-key": {
    en: "up to record {seq} the log is not sealed: it was written without the key, or its head was lost and made anew by a repair",
    zh: "第 {seq} 条及之前的日志未受封印保护：写入时没有密钥，或日志头丢失后在修复中重建",
  },
  "audit.problem.anchors-missing": {
    en: "the anchors outside of the database are missing; they covered records up to {toSeq}",
    zh: "数据库外的锚点不见了；它们曾记到第 {toSeq} 条",
  },
  "audit.problem.anchors-behind": {
    en: "the anchors outside of the database end at {seq}, but there were anchors up to {toSeq}",
    zh: "数据库外的锚点只到第 {seq} 条；本应到第 {toSeq} 条",
  },
  "audit.problem.anchor-forged": {
    en: "an anchor outside of the database was not made by this home",
    zh: "数据库外有锚点不是本主目录所做",
  },

  "doctor.audit": { en: "audit log", zh: "审计日志" },
  "doctor.audit.next": {
    en: "`pincer audit verify` shows where.",
    zh: "用 `pincer audit verify` 查看位置。",
  },

  "runs.replay": {
    en: "replay a run with its recorded answers, and compare",
    zh: "用记录下的回答重放一次运行，并进行比较",
  },
  "runs.replay.same": {
    en: "The same: all {count} entries match what is stored.",
    zh: "一致：{count} 条条目与存储的相同。",
  },
  "runs.replay.differs": {
    en: "Different from entry {at} of the run on:",
    zh: "不一致，从该运行的第 {at} 条起：",
  },
  "runs.replay.stored": { en: "stored", zh: "存储的" },
  "runs.replay.replayed": { en: "replayed", zh: "重放的" },
  "runs.replay.nothing": { en: "(nothing)", zh: "（无）" },
  "runs.replay.ending": {
    en: "The replay ended as {replayed}; the stored run as {stored}.",
    zh: "重放以 {replayed} 结束；存储的是 {stored}。",
  },
  "runs.replay.gone": { en: "Nothing of run {id} is left to replay.", zh: "运行 {id} 已没有可重放的内容。" },
  "runs.replay.gone.hint": {
    en: "Its session was deleted, or it never began.",
    zh: "它的会话已被删除，或者它从未开始。",
  },
  "runs.replay.command": {
    en: "Run {id} only summarised its session; there is nothing to replay.",
    zh: "运行 {id} 只是压缩了会话，没有可重放的内容。",
  },
} satisfies TextTable;
