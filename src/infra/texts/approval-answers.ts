import type { TextTable } from "./table.ts";

/** What waits for the owner's yes, at a terminal; what was allowed for longer; why the gate decides as it does; who may do what. */
export const approvalDeskTexts = {
  "approvals.about": {
    en: "requests that wait for your approval",
    zh: "等待你同意后才执行的操作",
  },
  "approvals.list": { en: "list waiting requests", zh: "列出等待批准的操作" },
  "approvals.all": {
    en: "also requests that were answered, expired or are no longer needed",
    zh: "包括已答复、已过期和已撤回的",
  },
  "approvals.list.none": { en: "No request waits for you.", zh: "没有等待你批准的操作。" },
  "approvals.list.none-ever": { en: "There were no requests yet.", zh: "还没有请求过批准。" },
  "approvals.show": { en: "show one request in full", zh: "完整显示一个请求" },
  "approvals.id": {
    en: "its id as `pincer approvals list` shows it, or the start of it",
    zh: "`pincer approvals list` 显示的编号，或其开头几位",
  },
  "approvals.approve": { en: "approve: exactly this call runs", zh: "同意：只执行所显示的内容" },
  "approvals.deny": {
    en: "deny: the call does not run, and the assistant is told",
    zh: "拒绝：不执行，并告知助手",
  },
  "approvals.scope": {
    en: "how much you approve: once, task, while (30 minutes), recipient or shape",
    zh: "同意的范围：once（仅此一次）、task（本次任务）、while（30 分钟）、recipient（该收件人或主机）、shape（该类命令）",
  },
  "approvals.scope.not": {
    en: "{value} is not one of once, task, while, recipient, shape.",
    zh: "{value} 不是 once、task、while、recipient、shape 之一。",
  },
  "approvals.grants": { en: "what you approved for more than one call", zh: "你长期允许的操作" },
  "approvals.grants.list": { en: "list them", zh: "列出" },
  "approvals.grants.none": { en: "Nothing is approved for more than one call.", zh: "没有长期允许的操作。" },
  "approvals.grants.revoke": { en: "revoke one: Pincer asks again", zh: "收回一项：以后重新询问" },
  "approvals.grants.id": {
    en: "its id as `pincer approvals grants` shows it",
    zh: "`pincer approvals grants` 显示的编号",
  },
  "grants.revoked": { en: "{id} is revoked.", zh: "{id} 已失效。" },
  "grants.none": { en: "There is no grant {id}.", zh: "没有编号为 {id} 的授权。" },
  "grants.none.hint": {
    en: "`pincer approvals grants` lists them.",
    zh: "`pincer approvals grants` 显示现有授权。",
  },
  "grants.until-turn": { en: "until turn {turnId} is over", zh: "到 {turnId} 这一轮结束" },
  "grants.until": { en: "until {time}", zh: "到 {time}" },
  "grants.for-good": { en: "until you revoke it", zh: "直到你收回" },

  "approvals.none-such": { en: "There is no request {id}.", zh: "没有编号为 {id} 的请求。" },
  "approvals.none-wait.hint": { en: "No request waits for you.", zh: "目前没有等待批准的操作。" },
  "approvals.some-wait.hint": { en: "Waiting: {waiting}.", zh: "等待批准的有：{waiting}。" },
  "approvals.several": { en: "Several requests start with {id}.", zh: "有多个请求以 {id} 开头。" },
  "approvals.over.approved": { en: "{id} was already approved by {by}.", zh: "{id} 已由 {by} 批准。" },
  "approvals.over.denied": { en: "{id} was already denied by {by}.", zh: "{id} 已由 {by} 拒绝。" },
  "approvals.over.expired": {
    en: "{id} expired: nobody answered in time, and the call did not run.",
    zh: "{id} 已过期：没有人及时答复，未执行。",
  },
  "approvals.over.withdrawn": {
    en: "{id} is no longer needed: its turn has ended.",
    zh: "{id} 已不需要：那一轮已经结束。",
  },
  "approvals.over.hint": {
    en: "`pincer approvals list` shows the requests that still wait.",
    zh: "`pincer approvals list` 显示仍在等待的请求。",
  },
  "approvals.no-scope": {
    en: "{id} cannot be approved with the scope “{scope}”.",
    zh: "对 {id} 的同意不能用于 “{scope}” 这个范围。",
  },
  "approvals.no-number": {
    en: "{id} has no number {number} that waits.",
    zh: "{id} 中没有等待批准的第 {number} 项。",
  },
  "approvals.no-number.hint": {
    en: "`pincer approvals show <id>` shows the numbers.",
    zh: "用 `pincer approvals show <编号>` 查看各项的序号。",
  },
  "approvals.no-scope.hint": { en: "Possible scopes: {scopes}.", zh: "可选的范围：{scopes}。" },

  "approvals.approved.once": { en: "{id} is approved once.", zh: "{id} 已批准，仅此一次。" },
  "approvals.approved.task": {
    en: "{id} is approved, and so is the same kind of call until this task ends.",
    zh: "{id} 已批准，本次任务中的同类调用也无需再问。",
  },
  "approvals.approved.while": {
    en: "{id} is approved, and so is the same kind of call in this session for 30 minutes.",
    zh: "{id} 已批准，30 分钟内此会话中的同类调用也无需再问。",
  },
  "approvals.approved.recipient": {
    en: "{id} is approved, and so is {key} from now on.",
    zh: "{id} 已批准，今后对 {key} 也无需再问。",
  },
  "approvals.approved.shape": {
    en: "{id} is approved, and so are commands like {key} from now on.",
    zh: "{id} 已批准，今后 {key} 这类命令也无需再问。",
  },
  "approvals.denied": { en: "{id} is denied; the call does not run.", zh: "{id} 已拒绝，不会执行。" },
  "approvals.chosen": {
    en: "{yes} approved, {no} denied.",
    zh: "{yes} 已批准，{no} 已拒绝。",
  },
  "approvals.only": {
    en: "numbers on the card: these are approved, the others are denied",
    zh: "卡片上的序号：批准这些，拒绝其余",
  },
  "approvals.only.not": {
    en: "{value} is not a list of numbers, such as 1,3.",
    zh: "{value} 不是序号列表，例如 1,3。",
  },
  "approvals.goes-on": { en: "The turn continues now.", zh: "这一轮现在继续。" },
  "approvals.goes-on-later": {
    en: "No gateway is running: the turn continues when you start one (`pincer gateway run`).",
    zh: "网关没有运行：启动后（`pincer gateway run`）这一轮才会继续。",
  },
  "approvals.run-over": {
    en: "But the run that asked has ended with its process, so nothing continues. Ask again.",
    zh: "但提出请求的那次运行已经结束（进程已退出），不会继续。请重新提出要求。",
  },

  "approvals.asks-many": { en: "{count} things need your approval", zh: "{count} 项操作请求你的同意" },
  "approvals.wall.none": { en: "none", zh: "无" },
  "approvals.asks": { en: "{tool} needs your approval", zh: "{tool} 请求你的同意" },
  "approvals.state.pending": { en: "waiting", zh: "等待中" },
  "approvals.state.approved": { en: "approved", zh: "已批准" },
  "approvals.state.spent": { en: "approved and run", zh: "已批准并执行" },
  "approvals.state.denied": { en: "denied", zh: "已拒绝" },
  "approvals.state.expired": { en: "expired", zh: "已过期" },
  "approvals.state.withdrawn": { en: "no longer needed", zh: "已撤回" },
  "approvals.left": { en: "{left} left", zh: "剩余 {left}" },
  "approvals.no-time-left": { en: "no time left", zh: "已到时限" },
  "approvals.by": { en: "by {by}", zh: "答复者 {by}" },
  "approvals.label.directory": { en: "in", zh: "目录" },
  "approvals.label.environment": { en: "with", zh: "环境变量" },
  "approvals.label.programs": { en: "programs", zh: "程序" },
  "approvals.label.wall": { en: "sandbox", zh: "隔离" },
  "approvals.label.reason": { en: "because", zh: "原因" },
  "approvals.label.rule": { en: "rule", zh: "规则" },
  "approvals.label.cause": { en: "from", zh: "来源" },
  "approvals.label.for": { en: "for", zh: "对象" },
  "approvals.label.scopes": { en: "you can approve", zh: "可选范围" },
  "approvals.cause.alone": { en: "{argument} = {value}", zh: "{argument} = {value}" },
  "approvals.cause": { en: "{argument} = {value}, from {from}", zh: "{argument} = {value}，来自 {from}" },
  "approvals.cause.sentence": {
    en: "{argument} = {value}, from {from}: {sentence}",
    zh: "{argument} = {value}，来自 {from}：{sentence}",
  },
  "approvals.for": {
    en: "{person} in {session} (turn {turnId})",
    zh: "{person}，会话 {session}（{turnId}）",
  },
  "approvals.also-waits": { en: "Also waiting: {waiting}.", zh: "还有等待批准的：{waiting}。" },
  "approvals.more": { en: "{count} more", zh: "另外 {count} 个" },

  "approvals.key.once": { en: "y = yes, this once", zh: "y = 同意，仅此一次" },
  "approvals.key.task": { en: "t = for this task", zh: "t = 本次任务内都同意" },
  "approvals.key.while": { en: "w = for 30 minutes", zh: "w = 30 分钟内都同意" },
  "approvals.key.all.once": { en: "y = yes to all, this once", zh: "y = 全部同意，仅此一次" },
  "approvals.key.all.task": { en: "t = yes to all, for this task", zh: "t = 全部同意，本次任务内" },
  "approvals.key.all.while": { en: "w = yes to all, for 30 minutes", zh: "w = 全部同意，30 分钟内" },
  "approvals.key.some": { en: "1,2 = only these numbers, once", zh: "1,2 = 只同意这些序号，仅此一次" },
  "approvals.key.none": { en: "n = no to all", zh: "n = 全部拒绝" },
  "approvals.key.recipient": { en: "r = always for {key}", zh: "r = 对 {key} 一直同意" },
  "approvals.key.shape": { en: "s = always for commands like {key}", zh: "s = 对 {key} 这类命令一直同意" },
  "approvals.shape.free": {
    en: "{command} … (any files of the workdir)",
    zh: "{command} …（工作目录中的任何文件）",
  },
  "approvals.shape.fixed": {
    en: "{command} (only these words, in {place})",
    zh: "{command}（仅限这些参数，在 {place} 中）",
  },
  "approvals.key.no": { en: "n = no", zh: "n = 拒绝" },
  "approvals.question": { en: "Run it? [{keys}, default n] ", zh: "执行吗？[{keys}，默认 n] " },
  "approvals.not-an-answer": { en: "Please answer with one of {keys}.", zh: "请回答 {keys} 之一。" },
  "approvals.elsewhere": {
    en: "{id} needs your approval: {tool}. `pincer approvals show {id}` shows it; answer with `pincer approvals approve {id}` or `deny {id}`.",
    zh: "{id} 等待你的同意：{tool}。用 `pincer approvals show {id}` 查看，用 `pincer approvals approve {id}` 或 `deny {id}` 答复。",
  },
  "approvals.still-waits": {
    en: "{id} still needs your approval: `pincer approvals approve {id}` or `deny {id}`.",
    zh: "{id} 仍在等待你的同意：用 `pincer approvals approve {id}` 或 `deny {id}` 答复。",
  },
  "approvals.was-answered": {
    en: "{id} was already answered: {state}.",
    zh: "{id} 已在别处答复：{state}。",
  },

  "policy.about": { en: "why the gate allows, asks or denies", zh: "为什么放行、询问或拒绝" },
  "policy.explain": {
    en: "show the decision about a call, and which rule makes it",
    zh: "说明对一次调用会如何决定，以及由哪条规则决定",
  },
  "policy.what": {
    en: "a tool; or a run (r_…) or a session, for what was asked for there and what was done",
    zh: "工具；或者运行编号（r_…）或会话，查看其中要求了什么、做了什么",
  },
  "policy.granted.options": {
    en: "A run and a session take no other options than --json.",
    zh: "查看运行或会话时，除 --json 外不能用其他选项。",
  },
  "policy.granted.none": {
    en: "Nothing was granted in this session.",
    zh: "此会话中没有任何授权。",
  },
  "policy.args": { en: "its arguments, as a JSON object", zh: "参数（JSON 对象）" },
  "policy.args.not": {
    en: "The arguments are not a JSON object: {reason}",
    zh: "参数不是 JSON 对象：{reason}",
  },
  "policy.args.hint": {
    en: `For example: --args '{"command":"ls"}'`,
    zh: `例如：--args '{"command":"ls"}'`,
  },
  "policy.as": {
    en: "who would call it: owner, peer, group, or a person as channel:id",
    zh: "以谁的身份：owner、peer、group，或 channel:id 形式的某人",
  },
  "policy.as.not": {
    en: "{value} is not one of owner, peer, group, channel:id.",
    zh: "{value} 不是 owner、peer、group 或 channel:id。",
  },
  "policy.session": { en: "in which session", zh: "在哪个会话中" },
  "policy.agent": { en: "of which agent", zh: "属于哪个智能体" },
  "policy.verdict.allow": { en: "{tool} is allowed", zh: "允许 {tool}" },
  "policy.verdict.ask": { en: "{tool} asks you first", zh: "{tool} 会先问你" },
  "policy.verdict.deny": { en: "{tool} is denied", zh: "拒绝 {tool}" },
  "policy.decided": { en: "decided by {layer}: {source}", zh: "由 {layer} 决定：{source}" },

  "status.approvals": { en: "approvals", zh: "请求" },
  "status.approvals.value": {
    en: "questions for you: {questions}, waiting turns: {turns}; see `pincer approvals list`",
    zh: "待你答复的请求：{questions}，等待中的任务：{turns}；用 `pincer approvals list` 查看",
  },

  "permission.missing": {
    en: "{method} needs the permission {point}, which the role {role} does not have.",
    zh: "{method} 需要权限 {point}，而角色 {role} 没有该权限。",
  },
  "permission.missing.hint": {
    en: "Ask the owner, or somebody who has {point}.",
    zh: "请联系所有者或拥有 {point} 权限的人。",
  },
} satisfies TextTable;
