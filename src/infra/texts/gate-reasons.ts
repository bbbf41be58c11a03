import type { TextTable } from "./table.ts";

/**
 * Why the gate allows, asks or denies: one text per code, said by every surface and, in English, to the model. One
 * clause each, since several may stand in one sentence. A new code is a new line here.
 */
export const gateReasonTexts = {
  // What a list or a rule says of a tool.
  "gate.reason.tools-off": { en: "tools are disabled for this run", zh: "本次运行已关闭工具" },
  "gate.reason.rules-unread": { en: "the rules could not be read: {error}", zh: "无法读取规则：{error}" },
  "gate.reason.standing-rule": { en: "standing rule {rule}: {text}", zh: "长期规则 {rule}：{text}" },
  "gate.reason.denied-by": { en: "denied by {source}", zh: "被 {source} 禁止" },
  "gate.reason.not-in": { en: "not in {source}", zh: "不在 {source} 中" },
  "gate.reason.not-here-by": {
    en: "not here or not for this person: {source}",
    zh: "不适用于这里或此人：{source}",
  },
  "gate.reason.not-here": { en: "not here or not for this person", zh: "不适用于这里或此人" },
  "gate.reason.not-granted": {
    en: "no list of the config grants it ({source})",
    zh: "配置中没有列表允许它（{source}）",
  },
  "gate.reason.needs-yes": { en: "needs the owner's yes ({source})", zh: "需要所有者同意（{source}）" },
  "gate.reason.in": { en: "in {source}", zh: "在 {source} 中" },
  "gate.reason.allowed-by": { en: "allowed by {source}", zh: "由 {source} 允许" },
  "gate.reason.by-default": { en: "allowed by default", zh: "默认允许" },
  "gate.reason.granted": { en: "granted ({source})", zh: "已授权（{source}）" },

  // What a tool says of a call.
  "gate.reason.says": { en: "{words}", zh: "{words}" },
  "gate.reason.unwalled": { en: "it would run outside any sandbox", zh: "将在沙箱之外运行" },
  "gate.reason.sandbox-off": { en: "{source} is none", zh: "{source} 为 none" },
  "gate.reason.sandbox-fails": { en: "no sandbox works here: {error}", zh: "这里没有可用的沙箱：{error}" },
  "gate.reason.runs": { en: "it runs {programs}", zh: "它会运行 {programs}" },
  "gate.reason.writes": { en: "it writes {paths}", zh: "它会写入 {paths}" },
  "gate.reason.unseen": { en: "not all of it can be seen before", zh: "无法事先看清其全部内容" },
  "gate.reason.types": {
    en: "it types into a program outside any sandbox",
    zh: "它会向沙箱之外的程序输入内容",
  },

  // What speaks against a call: whom it reaches, and what leaves with it.
  "gate.reason.stored-secret": {
    en: "{argument} holds a secret of this installation",
    zh: "{argument} 含有本系统保存的机密",
  },
  "gate.reason.not-asked-for": {
    en: "the owner's words do not ask for {tool}",
    zh: "所有者的话没有要求 {tool}",
  },
  "gate.reason.more-than-asked": {
    en: "the owner asked for {tool} {count} times, and that has been done",
    zh: "所有者要求 {tool} {count} 次，已经做完",
  },
  "gate.reason.other-recipient": {
    en: "the owner did not ask to write to {value}",
    zh: "所有者没有要求写给 {value}",
  },
  "gate.reason.other-host": {
    en: "the owner did not ask to send anything to {value}",
    zh: "所有者没有要求向 {value} 发送内容",
  },
  "gate.reason.other-value": {
    en: "{argument} is {value}, which the owner did not say",
    zh: "{argument} 为 {value}，而所有者没有这样说",
  },
  "gate.reason.private-sources": {
    en: "it was written after reading {sources}, which the owner did not name for it",
    zh: "写它之前读过 {sources}，而所有者没有为此提到这些",
  },
  "gate.reason.unseen-change": {
    en: "{paths} was changed after texts of others were read, and the owner has not seen the change",
    zh: "{paths} 在读过他人文本之后被改动，所有者尚未看过这一改动",
  },
  "gate.reason.group-reads-along": {
    en: "others read along here, and the owner's words do not name what {tool} would look at",
    zh: "这里有其他人能看到，而所有者没有提到 {tool} 要查看的内容",
  },

  "gate.reason.maybe-pasted": {
    en: "the message may hold a pasted text, so what it asks for is confirmed once: “{quote}”",
    zh: "这条消息可能含有粘贴的文字，所以其中的要求需要确认一次：“{quote}”",
  },
  "gate.reason.address-shown": {
    en: "{argument} holds an address that was put together from what was read: leave it out, or say it in words",
    zh: "{argument} 中有一个由读到的内容拼出来的地址：请去掉，或用文字说明",
  },
  "gate.reason.steering-file": {
    en: "{path} steers the assistant itself, and texts of others were read before",
    zh: "{path} 会影响助手本身，而且之前读过他人的文字",
  },
  "gate.reason.runs-by-itself": {
    en: "{path} runs by itself outside the sandbox, and texts of others were read before",
    zh: "{path} 会在沙箱之外自行运行，而且之前读过他人的文字",
  },
  "gate.reason.address-composed": {
    en: "{url} stands in no text that was read: it was put together after texts of others were read",
    zh: "{url} 不在任何读过的文本中：它是在读过他人文本之后拼成的",
  },
  "gate.reason.address-of-inside": {
    en: "{url} stands in a mail, a file or what a program said, and opening it tells {host} so",
    zh: "{url} 出现在邮件、文件或程序输出中，打开它会让 {host} 得知此事",
  },
  "gate.reason.address-for-scout": {
    en: "{url} was put together after texts of others were read, and could tell {host} what else is known here: use research, which reads the web without that, or an address exactly as it was read",
    zh: "{url} 是在读过他人文本之后拼成的，可能把这里已知的内容告诉 {host}：请使用 research（它读取网页时不带这些内容），或原样使用读到的地址",
  },
  "gate.reason.address-with-headers": {
    en: "the request to {host} carries headers or a method of its own, and was made after texts of others were read",
    zh: "发往 {host} 的请求带有自定的标头或方法，并且是在读过他人文本之后提出的",
  },
  "gate.reason.address-inside": {
    en: "{host} is in the network of this machine, and texts of others were read",
    zh: "{host} 位于本机所在的网络，而之前读过他人的文本",
  },
  "gate.reason.address-sends": {
    en: "it would send something to {host}",
    zh: "它会向 {host} 发送内容",
  },
  "gate.reason.address-unreadable": {
    en: "{url} is no address of the web",
    zh: "{url} 不是网页地址",
  },
  "gate.reason.address-bits": {
    en: "choosing {url} among the addresses that were read tells its host up to {count} bits of what else is known here, and the bits of today are used up",
    zh: "在读到的地址中选择 {url} 会向其主机透露最多 {count} 比特这里已知的内容，而今天的比特数已用完",
  },
  "gate.reason.address-bits-for-scout": {
    en: "choosing {url} among the addresses that were read tells its host up to {count} bits of what else is known here, and the bits of today are used up: use research, which reads the web without that",
    zh: "在读到的地址中选择 {url} 会向其主机透露最多 {count} 比特这里已知的内容，而今天的比特数已用完：请使用 research，它读取网页时不带这些内容",
  },
  "gate.reason.scout-bits": {
    en: "sending a scout now tells outsiders up to {count} bits of what is known here, and the bits of today are used up",
    zh: "此时派出侦察员会向外界透露最多 {count} 比特这里已知的内容，而今天的比特数已用完",
  },
  "gate.reason.outside-workdir": {
    en: "{path} is outside the workdir, where nothing can be undone, and texts of others were read before",
    zh: "{path} 在工作目录之外，无法撤销，而且之前读过他人的文字",
  },

  // What is not asked any more.
  "gate.reason.cards-spent": {
    en: "{count} requests were shown in this turn, and no more are",
    zh: "本轮已提出 {count} 次请求，不再提出",
  },
  "gate.reason.cards-open": {
    en: "an earlier request of this session still waits",
    zh: "此会话中较早的请求仍在等待",
  },

  // What `policy explain` says of a rule that decides nothing.
  "gate.reason.not-about": { en: "not about this call", zh: "与此调用无关" },
  "gate.reason.nothing-against": { en: "nothing against it", zh: "没有异议" },

  "gate.between": { en: "; ", zh: "；" },
  "gate.from.owner": { en: "owner", zh: "所有者" },
  "gate.from.peer": { en: "peer", zh: "他人" },
  "gate.from.group": { en: "group", zh: "群组" },
  "gate.from.quoted": { en: "quoted", zh: "引用" },
  "gate.from.file": { en: "file", zh: "文件" },
  "gate.from.program": { en: "program", zh: "程序" },
  "gate.from.web": { en: "web", zh: "网页" },
  "gate.from.memory": { en: "memory", zh: "记忆" },
  "gate.from.session": { en: "session", zh: "会话" },
  "gate.from.summary": { en: "summary", zh: "总结" },
  "gate.from.tool": { en: "tool", zh: "工具" },
  "gate.from.system": { en: "system", zh: "系统" },
  "gate.from.prompt": { en: "prompt", zh: "提示词" },
  "gate.from.user": { en: "USER.md", zh: "USER.md" },
  "gate.from.workdir": { en: "files of the workdir", zh: "工作目录中的文件" },
  "gate.from.answer": { en: "an answer", zh: "一个回答" },
  "gate.from.nowhere": { en: "nowhere", zh: "不明之处" },
} as const satisfies TextTable;
