import type { TextTable } from "./table.ts";

/** Texts of pairing, owner, outbox, dead letters, notices and runs. */
export const deskTexts = {
  "option.channel": { en: "only this channel", zh: "只针对该频道" },
  "option.account": { en: "only this account of the channel", zh: "只针对该频道的这个账号" },
  "option.limit": { en: "how many at most", zh: "最多显示多少" },
  "option.before": { en: "continue before this number", zh: "从该编号之前继续" },
  "option.more": { en: "There may be more: --before {before}", zh: "可能还有更多：--before {before}" },
  "option.yes": { en: "do not ask", zh: "不再询问" },
  "option.later": {
    en: "No gateway is running: this happens when you start one (`pincer gateway run`).",
    zh: "网关未运行：启动后才会执行（`pincer gateway run`）。",
  },

  "pairing.about": { en: "who may write to the assistant", zh: "管理谁可以给助手发消息" },
  "pairing.list": { en: "list who waits for approval, and who may write", zh: "列出等待批准和已获准的人" },
  "pairing.list.nobody-waits": { en: "Nobody waits for approval.", zh: "没有人在等待批准。" },
  "pairing.list.nobody-in": { en: "Nobody was approved yet.", zh: "尚未批准任何人。" },
  "pairing.list.waiting": { en: "Waiting:", zh: "等待批准：" },
  "pairing.list.approve": {
    en: "Approve one with `pincer pairing approve <code>`.",
    zh: "用 `pincer pairing approve <配对码>` 批准。",
  },
  "pairing.list.by": { en: "approved by {by}", zh: "由 {by} 放行" },
  "pairing.list.in": { en: "Approved:", zh: "已获准：" },
  "pairing.approve": { en: "approve the person who was given this code", zh: "批准持有该配对码的人" },
  "pairing.code": { en: "the code, with or without the dash", zh: "配对码，可带或不带短横" },
  "pairing.approved": {
    en: "{who} may now write on {channel} (account {account}).",
    zh: "{who} 现在可以在 {channel}（账号 {account}）上发消息。",
  },
  "pairing.unknown-code": {
    en: "No pairing request has the code {code}: it was used, has expired, or never existed.",
    zh: "没有人在用配对码 {code} 等待：它已用过、已过期或从未发出。",
  },
  "pairing.unknown-code.hint": {
    en: "`pincer pairing list` shows waiting requests. Senders with an expired code get a new one when they write again.",
    zh: "用 `pincer pairing list` 查看等待的人。过期的配对码会在对方再次来信时换新。",
  },
  "pairing.welcome": {
    en: "You are let in: my owner has approved you. What you wrote before is answered now.",
    zh: "主人已批准，你可以使用了。你之前发的消息现在会得到回答。",
  },
  "pairing.locked": {
    en: "Too many wrong codes. Pairing is locked until {until}.",
    zh: "错误的配对码过多。在 {until} 之前不再接受尝试。",
  },
  "pairing.locked.hint": {
    en: "Wait until then, and copy a code from `pincer pairing list`.",
    zh: "用 `pincer pairing list` 查看配对码；请届时从中复制。",
  },
  "pairing.revoke": { en: "revoke somebody's permission to write", zh: "收回某人的许可" },
  "pairing.entry": { en: "the sender's id, as `pairing list` shows it", zh: "发送者 id，见 `pairing list`" },
  "pairing.revoked": {
    en: "{id} may no longer write on {channel}.",
    zh: "{id} 不能再在 {channel} 上发消息。",
  },
  "pairing.none": { en: "{id} is not approved anywhere.", zh: "{id} 未在任何地方获准。" },
  "pairing.none.hint": {
    en: "`pincer pairing list` shows who is. Remove entries of allowFrom in the config.",
    zh: "用 `pincer pairing list` 查看已获准的人。配置 allowFrom 中的人须在配置中移除。",
  },
  "pairing.which": {
    en: "{id} is known on several channels: {channels}.",
    zh: "{id} 在多个频道上：{channels}。",
  },
  "pairing.which.hint": { en: "Say which with --channel.", zh: "请用 --channel 指明。" },
  "pairing.everywhere": {
    en: "{id} is approved on every account, not only on {account}.",
    zh: "{id} 在所有账号上均已获准，而不只是 {account}。",
  },
  "pairing.everywhere.hint": {
    en: "Leave out --account to revoke that.",
    zh: "请去掉 --account 以收回该许可。",
  },
  "pairing.import": {
    en: "import <channel>-allowFrom.json, <channel>-<account>-allowFrom.json, <channel>-pairing.json or gateway.json",
    zh: "导入 <频道>-allowFrom.json、<频道>-<账号>-allowFrom.json、<频道>-pairing.json 或 gateway.json",
  },
  "pairing.file": { en: "the files", zh: "文件" },
  "pairing.imported": {
    en: "approved: {allowed}, waiting: {pending}, skipped because the waiting list is full: {full}",
    zh: "已获准 {allowed} 人，等待 {pending} 人，无等待名额 {full} 人",
  },
  "pairing.import.skipped": {
    en: "skipped because they name nobody: {entries}",
    zh: "未导入，因为不指向具体的人：{entries}",
  },
  "pairing.import.not-json": { en: "{file} is not JSON: {reason}", zh: "{file} 不是 JSON：{reason}" },
  "pairing.import.strange": {
    en: "{file} is not a file that can be imported.",
    zh: "{file} 不是可导入的文件。",
  },
  "pairing.import.strange.hint": {
    en: "It needs its usual name, such as telegram-allowFrom.json, or --channel (and --account) for a list of ids.",
    zh: "文件须用惯用名称，例如 telegram-allowFrom.json；若是 id 列表，请给出 --channel（及 --account）。",
  },
  "pairing.export": { en: "export who is approved and who waits to files", zh: "将已获准和等待的人写入文件" },
  "pairing.export.directory": { en: "where to put the files", zh: "文件存放目录" },
  "pairing.export.form": {
    en: "files: one per channel and account; allow: the same without waiting requests; gateway: one gateway.json",
    zh: "files：每个频道和账号一个文件；allow：不含等待者；gateway：单个 gateway.json",
  },
  "pairing.exported": {
    en: "files written to {directory}: {count}",
    zh: "已在 {directory} 写入 {count} 个文件",
  },

  "owner.about": { en: "who the owner is on each channel", zh: "各频道上的所有者是谁" },
  "owner.claim": {
    en: "create a one-time code that makes its sender an owner",
    zh: "生成一次性代码，发送者成为所有者",
  },
  "owner.claim.how": {
    en: "Send this code to the assistant in a direct message from your own account. It works once, until {until}.",
    zh: "请用你自己的账号私信把该代码发给助手。仅可使用一次，{until} 前有效。",
  },
  "owner.claim.no-gateway": {
    en: "No gateway is running to receive the message: start one with `pincer gateway run`.",
    zh: "网关未运行：请用 `pincer gateway run` 启动，否则没有人会读到消息。",
  },
  "owner.list": { en: "list the owners", zh: "列出所有者" },
  "owner.list.none": {
    en: "No channel has an owner yet. `pincer owner claim` creates a code for one.",
    zh: "各频道上还没有所有者。用 `pincer owner claim` 认领。",
  },
  "owner.list.configured": { en: "set in the config", zh: "由配置指定" },
  "owner.remove": { en: "remove an owner", zh: "撤销一位所有者" },
  "owner.which": { en: "the owner as channel:id", zh: "以 频道:id 表示的所有者" },
  "owner.bad": { en: "{owner} does not have the form channel:id.", zh: "{owner} 不是 频道:id 的形式。" },
  "owner.removed": { en: "{owner} is no longer an owner.", zh: "{owner} 不再是所有者。" },
  "owner.none": { en: "{owner} is not an owner.", zh: "{owner} 不是所有者。" },
  "owner.none.hint": { en: "`pincer owner list` lists the owners.", zh: "用 `pincer owner list` 查看。" },
  "owner.configured": {
    en: "{owner} is an owner by the config.",
    zh: "{owner} 由配置指定为所有者。",
  },
  "owner.configured.hint": {
    en: "Change `owners` with `pincer config set owners`.",
    zh: "请用 `pincer config set owners` 将其从 `owners` 中移除。",
  },

  "outbox.about": { en: "outgoing messages", zh: "正在发出的消息" },
  "outbox.list": {
    en: "list messages that wait, are uncertain or could not be sent",
    zh: "列出等待中、结果不明或发送失败的消息",
  },
  "outbox.all": { en: "also messages that were sent or dropped", zh: "也包括已发送和已放弃的" },
  "outbox.list.none": { en: "No message waits to be sent.", zh: "没有等待发送的消息。" },
  "outbox.show": { en: "show one message", zh: "显示一条消息" },
  "outbox.id": { en: "the message's id", zh: "消息 id" },
  "outbox.retry": { en: "try to send it again", zh: "重新尝试发送" },
  "outbox.retried": { en: "{id} is being retried.", zh: "{id} 将重新发送。" },
  "outbox.drop": { en: "drop it without sending", zh: "放弃：不再发送" },
  "outbox.drop.sure": {
    en: "Drop this message to {to}? It will not be sent.",
    zh: "放弃发给 {to} 的这条消息？它不会被发送。",
  },
  "outbox.drop.not": { en: "Nothing was dropped.", zh: "没有放弃任何内容。" },
  "outbox.dropped": { en: "{id} is dropped and will not be sent.", zh: "{id} 不再发送。" },
  "outbox.none": { en: "There is no message {id} in the outbox.", zh: "发件箱中没有消息 {id}。" },
  "outbox.none.hint": {
    en: "`pincer outbox list --all` lists all messages.",
    zh: "用 `pincer outbox list --all` 查看。",
  },
  "outbox.over": {
    en: "{id} has already ended ({state}): nothing was changed.",
    zh: "{id} 已结束（{state}）：未作任何更改。",
  },

  "deadletters.about": {
    en: "messages that were given up because they crashed the gateway",
    zh: "因多次使网关崩溃而被搁置的消息",
  },
  "deadletters.list": { en: "list them", zh: "列出" },
  "deadletters.list.none": { en: "There are no dead letters.", zh: "没有死信。" },
  "deadletters.show": { en: "show one", zh: "显示一条" },
  "deadletters.id": {
    en: "its id; `held` for all that a restore or a repair holds",
    zh: "其 id；`held` 表示恢复或修复时暂停的全部",
  },
  "deadletters.held": {
    en: "held, because it might be done twice",
    zh: "已暂停，因为可能重复执行",
  },
  "deadletters.drop.sure-held": {
    en: "Drop all {count} that are held, for good?",
    zh: "永久放弃全部 {count} 条已暂停的消息？",
  },
  "deadletters.retry": { en: "try to answer it again", zh: "重新作答" },
  "deadletters.retried": { en: "{id} is being answered again.", zh: "{id} 将重新作答。" },
  "deadletters.drop": { en: "drop it for good", zh: "永久放弃" },
  "deadletters.drop.sure": { en: "Drop the message of {who} for good?", zh: "永久放弃 {who} 的消息？" },
  "deadletters.drop.not": { en: "Nothing was dropped.", zh: "没有放弃任何内容。" },
  "deadletters.dropped": { en: "{id} is dropped.", zh: "{id} 已放弃。" },
  "deadletters.none": { en: "There is no dead letter {id}.", zh: "没有死信 {id}。" },
  "deadletters.none.hint": {
    en: "`pincer deadletters list` lists them.",
    zh: "用 `pincer deadletters list` 查看。",
  },
  "deadletters.no-turn": { en: "quarantined before it could be answered", zh: "未及作答即被搁置" },
  "deadletters.claims": { en: "started {count} times", zh: "开始过 {count} 次" },

  "notices.about": { en: "what needs the owner's attention", zh: "需要所有者处理的事项" },
  "notices.list": { en: "list open notices", zh: "列出未处理的通知" },
  "notices.all": { en: "also dismissed notices", zh: "也包括已处理的" },
  "notices.list.none": { en: "Nothing needs your attention.", zh: "没有需要处理的事项。" },
  "notices.dismiss": { en: "dismiss it", zh: "标为已处理" },
  "notices.id": { en: "the notice's id", zh: "通知 id" },
  "notices.dismissed": { en: "Dismissed.", zh: "已处理。" },
  "notices.none-open": { en: "There is no open notice {id}.", zh: "没有未处理的通知 {id}。" },
  "notices.none-open.hint": {
    en: "`pincer notices list` lists the open ones.",
    zh: "用 `pincer notices list` 查看。",
  },

  "runs.about": { en: "what was answered, and how", zh: "查看每次作答及其过程" },
  "runs.list": { en: "list runs, newest first", zh: "列出运行，最新在前" },
  "runs.session": { en: "only this session key", zh: "只列出该会话键的运行" },
  "runs.list.none": { en: "There are no runs yet.", zh: "还没有运行。" },
  "runs.show": { en: "show what happened in a run, in order", zh: "按顺序显示一次运行的经过" },
  "runs.id": { en: "the run's id", zh: "运行 id" },
  "runs.none": { en: "There is no run {id}.", zh: "没有运行 {id}。" },
  "runs.none.hint": { en: "`pincer runs list` lists all runs.", zh: "用 `pincer runs list` 查看。" },

  "doctor.beside-gateway": {
    en: "A gateway is running, so this is only a quick check of the database. Run `pincer gateway stop` first for the full check.",
    zh: "网关正在运行：仅快速检查数据库。如需完整检查，请先运行 `pincer gateway stop`。",
  },
} satisfies TextTable;
