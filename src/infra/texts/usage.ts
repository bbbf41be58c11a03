import type { TextTable } from "./table.ts";

/** What models have used, the limits on it, and going on after one of them. */
export const usageTexts = {
  "budget.calls": {
    en: "{whose} has used its {allowance} model calls ({key}).",
    zh: "{whose}已用完 {allowance} 次模型调用（{key}）。",
  },
  "budget.tokens": {
    en: "{whose} has used {used} of its {allowance} tokens ({key}); the next request needs more than is left.",
    zh: "{whose}已使用 {used} / {allowance} 个 token（{key}），剩余不足以发出下一个请求。",
  },
  "budget.cost": {
    en: "{whose} has cost {used} of its {allowance} ({key}); the next request costs more than is left.",
    zh: "{whose}已花费 {used} / {allowance}（{key}），剩余不足以支付下一个请求。",
  },
  "budget.time": {
    en: "{whose} has taken {used}; the limit is {allowance} ({key}).",
    zh: "{whose}已用时 {used}，上限为 {allowance}（{key}）。",
  },
  "budget.unpriced": {
    en: "There is a spending limit ({key}), but the price of {model} is unknown. Set its price (models.providers.{provider}.models[].cost, 0 if it is free), or remove the limit: pincer config unset {key}. Then send /continue.",
    zh: "设有费用上限（{key}），但不知道 {model} 的价格。请填写价格（models.providers.{provider}.models[].cost，免费则填 0），或取消上限：pincer config unset {key}。之后发送 /continue 即可继续。",
  },
  "budget.whose.turn": { en: "This turn", zh: "本轮" },
  "budget.whose.session": { en: "This session", zh: "此会话" },
  "budget.whose.agent": { en: "This agent, today (UTC),", zh: "此智能体今天（UTC）" },
  "budget.whose.day": { en: "Everything together, today (UTC),", zh: "今天（UTC）总共" },
  "budget.whose.month": { en: "Everything together, this month (UTC),", zh: "本月（UTC）总共" },
  "budget.next.turn": {
    en: "Send /continue to go on with the same amount again. To raise the limit: pincer config set {key} {more}",
    zh: "发送 /continue 可再用同样的额度继续。若要提高上限：pincer config set {key} {more}",
  },
  "budget.next.other": {
    en: "To raise the limit: pincer config set {key} {more}. Then send /continue.",
    zh: "若要提高上限：pincer config set {key} {more}。之后发送 /continue 即可继续。",
  },
  "turn.repeated-calls": {
    en: "I stopped: I called {tool} {times} times in a row with the same arguments and got the same result each time. Tell me what to do differently, or send /continue to go on.",
    zh: "我停了下来：连续 {times} 次以相同参数调用 {tool}，结果每次都一样。请告诉我该怎么改，或发送 /continue 继续。",
  },
  "turn.cut": {
    en: "(The answer was cut off here, at the model's limit. Send /continue to go on.)",
    zh: "（回答在此被截断：模型一次能说的到此为止。发送 /continue 继续。）",
  },
  "continue.nothing": {
    en: "There is nothing to continue: the last turn here did not stop at a limit.",
    zh: "没有可以继续的内容：这里的上一轮并不是因达到上限而停止的。",
  },
  "continue.running": {
    en: "The turn is still running; there is nothing to continue yet.",
    zh: "仍在进行中，暂时没有需要继续的内容。",
  },
  "continue.waiting": {
    en: "The turn waits for an approval and continues once that is answered.",
    zh: "它正在等待批准；得到答复后会自动继续。",
  },
  "continue.elsewhere": {
    en: "The turn that stopped last in this session was asked for in another chat; continue it there.",
    zh: "此会话中上次停下的那一轮是在别处发起的；请在原处继续。",
  },
  "continue.not-yours": {
    en: "Somebody else asked for the turn that stopped last here; only they and my owner can continue it.",
    zh: "这里上次停下的那一轮是由他人发起的；只有发起者和我的所有者可以继续。",
  },
  "continue.hint": { en: "Ask something new instead.", zh: "请改为提出新的问题。" },
  "continue.words": { en: "Continue.", zh: "继续。" },
  "ask.dry-run": {
    en: "list the effects and do none of them; files are changed in a copy",
    zh: "只列出会产生的影响，不执行；文件只在副本中更改",
  },
  "ask.continue": {
    en: "continue the session's last turn after it stopped at a limit",
    zh: "继续会话中因达到上限而停下的上一轮",
  },
  "ask.go-on": {
    en: "Continue with: pincer ask {session}--continue",
    zh: "继续：pincer ask {session}--continue",
  },
  "ask.no-model": { en: "To connect a model: pincer onboard", zh: "连接模型：pincer onboard" },
  "ask.continue-new": {
    en: "--continue works in the same session and cannot be combined with --new-session.",
    zh: "--continue 在同一会话中继续；--new-session 则开始新会话。",
  },
  "ask.continue-dry": {
    en: "--continue goes on with the last run as it was and cannot be combined with --dry-run.",
    zh: "--continue 按原样继续上一次运行，不能与 --dry-run 一起使用。",
  },
  "usage.not-noted": {
    en: "the usage of a model could not be recorded: {reason}",
    zh: "模型的用量无法记录：{reason}",
  },
  "usage.about": { en: "what models have used and cost", zh: "模型的用量与费用" },
  "usage.by": {
    en: "group by model, session, agent, day or credential",
    zh: "按 model、session、agent、day 或 credential 分组",
  },
  "usage.days": { en: "the last n days, today included (UTC)", zh: "最近 n 天，含今天（UTC）" },
  "usage.from": { en: "from this day or time on", zh: "从此日期或时刻起" },
  "usage.to": { en: "up to and including this day, or up to this time", zh: "到此日期（含）或时刻为止" },
  "usage.session": { en: "only this session: its id or key", zh: "只看此会话：id 或键" },
  "usage.agent": { en: "only this agent's", zh: "只看此智能体的" },
  "usage.limit": { en: "how many lines at most", zh: "最多多少行" },
  "usage.none": { en: "Nothing was used in that time.", zh: "这段时间没有用量。" },
  "usage.not-by": {
    en: "{by} is not one of model, session, agent, day, credential.",
    zh: "{by} 不是 model、session、agent、day、credential 之一。",
  },
  "usage.not-a-day": {
    en: "{day} is not a day (2026-01-31) or a time (2026-01-31T12:00:00Z).",
    zh: "{day} 不是日期（2026-01-31），也不是时刻（2026-01-31T12:00:00Z）。",
  },
  "usage.days-or-range": {
    en: "Use either --days or --from/--to, not both.",
    zh: "--days 与 --from/--to 作用相同，请只用其一。",
  },
  "usage.column.model": { en: "model", zh: "模型" },
  "usage.column.session": { en: "session", zh: "会话" },
  "usage.column.agent": { en: "agent", zh: "智能体" },
  "usage.column.day": { en: "day", zh: "日期" },
  "usage.column.credential": { en: "credential", zh: "凭据" },
  "usage.column.calls": { en: "calls", zh: "调用" },
  "usage.column.failures": { en: "failed", zh: "失败" },
  "usage.column.in": { en: "tokens in", zh: "输入 token" },
  "usage.column.out": { en: "tokens out", zh: "输出 token" },
  "usage.column.cache": { en: "cache hits", zh: "缓存命中" },
  "usage.column.cost": { en: "cost", zh: "费用" },
  "usage.total": { en: "total", zh: "合计" },
  "usage.more": { en: "There are more lines; --limit shows them.", zh: "还有更多行；用 --limit 显示。" },
  "usage.line": {
    en: "{whose}: {calls} calls, {input} tokens in ({cached} from the cache), {output} out, {cost}.",
    zh: "{whose}：{calls} 次调用，输入 {input} 个 token（{cached} 来自缓存），输出 {output} 个，{cost}。",
  },
  "usage.line.one": {
    en: "{whose}: {calls} call, {input} tokens in ({cached} from the cache), {output} out, {cost}.",
    zh: "{whose}：{calls} 次调用，输入 {input} 个 token（{cached} 来自缓存），输出 {output} 个，{cost}。",
  },
  "usage.cost-line": { en: "{whose}: {cost}.", zh: "{whose}：{cost}。" },
  "usage.whose.session": { en: "This session", zh: "此会话" },
  "usage.whose.today": { en: "Today (UTC), everything together", zh: "今天（UTC）总共" },
  "usage.whose.month": { en: "This month (UTC), everything together", zh: "本月（UTC）总共" },
} satisfies TextTable;
