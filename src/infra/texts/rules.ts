import type { TextTable } from "./table.ts";

/** Standing rules: at a terminal and in a chat. */
export const rulesTexts = {
  "rules.about": {
    en: "permanent rules for the assistant",
    zh: "助手无论如何都要遵守的规则",
  },
  "rules.add": {
    en: "set a rule; prohibitions are enforced where they concern tools",
    zh: "设定规则；涉及工具的禁令会被强制执行",
  },
  "rules.words": { en: "the rule in your own words", zh: "用自己的话写的规则" },
  "rules.agent": { en: "only for this agent", zh: "只针对该智能体" },
  "rules.deny": {
    en: "a tool or group that must not run, instead of what the words say (repeatable)",
    zh: "不得运行的工具或工具组，代替文字的含义（可重复）",
  },
  "rules.match": {
    en: "only calls that contain this text, instead of what the words say (repeatable)",
    zh: "仅限包含该文字的调用，代替文字的含义（可重复）",
  },
  "rules.remind": { en: "only remind the model; enforce nothing", zh: "只提醒模型，不强制执行" },
  "rules.list": { en: "list the rules", zh: "列出规则" },
  "rules.list.none": {
    en: "There are no rules. `pincer rules add never run commands` sets one.",
    zh: "没有规则。用 `pincer rules add 不要执行命令` 设定。",
  },
  "rules.chat.none": {
    en: "There are no rules. {prefix}rule never run commands – sets one.",
    zh: "没有规则。发送 {prefix}rule 不要执行命令 来设定。",
  },
  "rules.remove": { en: "remove a rule", zh: "删除规则" },
  "rules.id": { en: "its number, as `pincer rules list` shows it", zh: "`pincer rules list` 显示的编号" },
  "rules.removed": { en: "Rule {id} is removed: {text}", zh: "规则 {id} 已删除：{text}" },

  "rules.state.enforced": { en: "enforced", zh: "强制" },
  "rules.state.reminder": { en: "reminder", zh: "提醒" },
  "rules.every-agent": { en: "every agent", zh: "所有智能体" },
  "rules.is-enforced": { en: "Rule {id} is enforced: {denials}.", zh: "规则 {id} 强制执行：{denials}。" },
  "rules.denies": { en: "{tools} must not run", zh: "{tools} 不得运行" },
  "rules.denies-with": {
    en: "{tools} must not run with {match} in the call",
    zh: "调用中含有 {match} 时，{tools} 不得运行",
  },
  "rules.denies-deleting": { en: "{tools} must not delete", zh: "{tools} 不得删除" },
  "rules.deleting": { en: "deleting", zh: "删除" },
  "rules.deleting.unseen": {
    en: "Commands that delete are denied. What a program deletes by itself is not seen; `pincer undo` brings it back, and the rule “never run commands” prevents it.",
    zh: "会删除的命令一律拒绝。程序自行删除的内容无法识别；`pincer undo` 可恢复，“不要执行命令”这条规则可防止。",
  },
  "rules.takes-away": {
    en: "This takes whole tools away, not only one use of them: {denials}.",
    zh: "这会完全停用工具，而不只是其中一种用途：{denials}。",
  },
  "rules.takes-away.ask": { en: "Set this rule?", zh: "设定这条规则？" },
  "rules.not-set": { en: "The rule is not set.", zh: "规则未设定。" },
  "rules.not-set.hint": {
    en: "Add --yes to set it, name the tools yourself with --deny, or make it a reminder with --remind.",
    zh: "加上 --yes 即可设定；也可用 --deny 自行指明工具，或用 --remind 只作提醒。",
  },
  "rules.yes": { en: "do not ask when it takes whole tools away", zh: "会停用整个工具时不再询问" },
  "rules.denies.next": { en: "; ", zh: "；" },
  "rules.tools-that-write": { en: "every tool that writes", zh: "所有会写入的工具" },
  "rules.is-reminder": {
    en: "Rule {id} is a reminder: every request tells it to the model, but nothing is blocked.",
    zh: "规则 {id} 是提醒：每次都会告诉模型，但不会拦截任何操作。",
  },
  "rules.there-already": { en: "It already existed.", zh: "该规则已存在。" },
  "rules.line": { en: "{id}. {text} – {state}", zh: "{id}. {text} – {state}" },
  "rules.undo": { en: "To remove it: pincer rules remove {id}", zh: "若要删除：pincer rules remove {id}" },
  "rules.chat.undo": {
    en: "To remove it: {prefix}rule remove {id}",
    zh: "若要删除：{prefix}rule remove {id}",
  },
  "rules.tighten": {
    en: "To enforce it, name the tools, and people by their address or id: pincer rules add <words> --deny <tool> --match <address>",
    zh: "若要强制执行，请指明工具，人用其地址或 id 表示：pincer rules add <文字> --deny <工具> --match <地址>",
  },
  "rules.owner-only": {
    en: "Only my owner can see and set rules.",
    zh: "只有我的所有者可以查看和设定规则。",
  },
  "rules.remove-which": {
    en: "Which one? {prefix}rule remove <number>; {prefix}rules lists them.",
    zh: "删除哪一条？{prefix}rule remove <编号>；{prefix}rules 可列出规则。",
  },

  "rules.empty": { en: "The rule is empty.", zh: "规则没有内容。" },
  "rules.empty.hint": {
    en: "Example: pincer rules add never run commands",
    zh: "例如：pincer rules add 不要执行命令",
  },
  "rules.too-long": {
    en: "The rule has {length} characters; the limit is {most}, because every request contains it.",
    zh: "规则有 {length} 个字符；规则会出现在每次请求中，最多 {most} 个。",
  },
  "rules.too-many": {
    en: "There are already {most} rules, which is the limit; every request contains all of them.",
    zh: "已有 {most} 条规则；每条都会出现在每次请求中。",
  },
  "rules.too-many.hint": {
    en: "Remove one first: pincer rules remove <id>",
    zh: "请先删除一条：pincer rules remove <编号>",
  },
  "rules.otherwise": {
    en: "Rule {id} says the same but is enforced differently.",
    zh: "规则 {id} 文字相同，但执行方式不同。",
  },
  "rules.otherwise.hint": {
    en: "Remove it first: pincer rules remove {id}",
    zh: "请先删除它：pincer rules remove {id}",
  },
  "rules.unknown": { en: "There is no rule {id}.", zh: "没有规则 {id}。" },
  "rules.unknown.hint": {
    en: "`pincer rules list` lists all rules.",
    zh: "用 `pincer rules list` 查看现有规则。",
  },
  "rules.remind-or-deny": {
    en: "--remind enforces nothing, so it cannot be combined with --deny or --match.",
    zh: "--remind 不强制执行任何内容，不能与 --deny 或 --match 同用。",
  },
  "rules.no-tool": {
    en: "There is no tool or tool group {name}.",
    zh: "没有名为 {name} 的工具或工具组。",
  },
  "rules.match-empty": {
    en: "“{match}” cannot be matched: it is empty, or means another place each time.",
    zh: "无法用“{match}”判断：它是空的，或每次指向不同的位置。",
  },
  "rules.match-empty.hint": {
    en: "Name a path, an address, a host or words.",
    zh: "请写出路径、地址、主机或文字。",
  },
  "rules.match-what": {
    en: "The words do not say which tools must not run with this.",
    zh: "文字没有说明哪些工具不得与此一起运行。",
  },
  "rules.match-what.hint": { en: "Name them with --deny.", zh: "请用 --deny 指明。" },
} satisfies TextTable;
