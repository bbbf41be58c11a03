import type { TextTable } from "./table.ts";

/** What is kept of a session: commands in a chat and at a terminal. */
export const tapeTexts = {
  "tape.empty": { en: "Nothing has been said in this session yet.", zh: "此会话中还没有任何内容。" },
  "tape.owner-only": {
    en: "In a group only my owner can do that: it affects everybody here.",
    zh: "在群里只有我的所有者可以这样做：这会影响这里的所有人。",
  },
  "tape.colon": { en: ": ", zh: "：" },
  "tape.space": { en: " ", zh: "" },
  "tape.info.session": {
    en: "Session {sessionKey} ({sessionId}), since {since}",
    zh: "会话 {sessionKey}（{sessionId}），始于 {since}",
  },
  "tape.info.size": {
    en: "Entries: {entries}; messages: {messages}; anchors: {anchors}; summaries: {summaries}.",
    zh: "条目：{entries}；消息：{messages}；交接点：{anchors}；总结：{summaries}。",
  },
  "tape.info.shown": {
    en: "Context starts at #{from}: messages: {messages}, about {tokens} tokens.",
    zh: "上下文从 #{from} 开始：{messages} 条消息，约 {tokens} 个 token。",
  },
  "tape.info.shown.none": {
    en: "Context starts with the next message.",
    zh: "上下文从下一条消息开始。",
  },
  "tape.info.last": { en: "It follows {mark}.", zh: "在它之前的是{mark}。" },
  "tape.info.whole": {
    en: "There is no anchor and no summary: context starts with the session.",
    zh: "没有交接点或总结：上下文从会话开头开始。",
  },
  "tape.mark.anchor": { en: "#{seq} {time} anchor {name}", zh: "#{seq} {time} 交接点 {name}" },
  "tape.mark.summary": { en: "#{seq} {time} summary ({name})", zh: "#{seq} {time} 总结（{name}）" },
  "tape.anchors.none": {
    en: "There is no anchor and no summary in this session.",
    zh: "此会话中没有交接点，也没有总结。",
  },
  "tape.search.what": {
    en: 'Search for what? For example: tape.search invoice "last week"',
    zh: "要查找什么？例如：tape.search 发票 “上周”",
  },
  "tape.search.none": { en: "No results for: {words}", zh: "没有找到：{words}" },
  "tape.search.hit": { en: "#{seq} {time} {role}: {snippet}", zh: "#{seq} {time} {role}：{snippet}" },
  "tape.search.back-to": {
    en: "Searched back to #{seq}; older entries were not searched.",
    zh: "已查找到 #{seq} 为止；更早的内容没有查找。",
  },
  "tape.search.elsewhere": { en: "(session {sessionId})", zh: "（会话 {sessionId}）" },
  "tape.handoff.done": {
    en: "Anchor {name} is set (#{seq}). From now on I use only what comes after it.",
    zh: "已设置交接点 {name}（#{seq}）。从这里起，我只依据其后的内容。",
  },
  "tape.handoff.summary": { en: "It starts with your summary.", zh: "你的摘要就是它的开头。" },
  "tape.handoff.no-summary": {
    en: "It has no summary: I start from scratch.",
    zh: "没有摘要：我将从头开始。",
  },
  "tape.handoff.kept": {
    en: "Everything before it stays and can be searched: tape.search <words>",
    zh: "之前的一切都会保留并可查找：tape.search <词语>",
  },
  "tape.reset.done": {
    en: "A new session has started. Nothing was deleted: the previous one is kept as {sessionId} (pincer sessions show {sessionId}), and tape.search finds what was said in it.",
    zh: "新会话已开始。没有删除任何内容：先前的会话保留为 {sessionId}（pincer sessions show {sessionId}），tape.search 可以查到其中的内容。",
  },
  "tape.reset.done.peer": {
    en: "A new session has started. Nothing was deleted: the previous one is kept, and tape.search finds what was said in it.",
    zh: "新会话已开始。没有删除任何内容：先前的会话会保留，tape.search 可以查到其中的内容。",
  },
  "tape.about": { en: "the stored history of a session", zh: "会话保留了什么" },
  "tape.session": {
    en: "session key or id (default: the main session)",
    zh: "会话键或 id；不填则为主会话",
  },
  "tape.info": { en: "how much is stored, and where context starts", zh: "有多少内容，上下文从哪里开始" },
  "tape.search": {
    en: "search what was said, in every session of the key",
    zh: "在此键的所有会话中查找说过的内容",
  },
  "tape.words": {
    en: "words that must all occur; quote a phrase",
    zh: "必须全部出现的词语；引号中的内容算一个",
  },
  "tape.limit": { en: "how many at most", zh: "最多多少个" },
  "tape.anchors": { en: "handoffs and summaries, newest first", zh: "交接点与总结，最新的在前" },
  "tape.handoff": {
    en: "set an anchor: context starts after it, beginning with the summary",
    zh: "设置交接点：上下文从其后开始，以摘要作为开头",
  },
  "tape.handoff.name": { en: "name of the anchor (default: generated)", zh: "交接点名称；不填则自动生成" },
  "tape.handoff.words": { en: "what to remember from before", zh: "之前内容中需要知道的部分" },
  "tape.reset": {
    en: "end the session and start another under the same key; nothing is deleted",
    zh: "结束会话并在同一个键下开始新会话；不删除任何内容",
  },
  "tape.ended": {
    en: "Session {sessionId} has ended: nothing can be added to it.",
    zh: "会话 {sessionId} 已结束，无法再添加内容。",
  },
  "tape.ended.hint": {
    en: "Use the session key to mean the current session, or resume this one first.",
    zh: "用会话键来指明当前会话，或先恢复此会话。",
  },
} satisfies TextTable;
