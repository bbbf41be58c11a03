import type { TextTable } from "./table.ts";

/** Labels of files and turns, and the versions of steering files that count. */
export const labelTexts = {
  "notice.steering": {
    en: "{files} in {workdir} steer the assistant, and this version was not accepted: it is left out of the prompt. `pincer policy accept {workdir}` shows what has changed and takes it in.",
    zh: "{workdir} 中的 {files} 会引导助手，但这个版本尚未被接受，因此没有放进提示词。用 `pincer policy accept {workdir}` 查看改动并接受。",
  },
  "notice.unlabelled": {
    en: "Nobody knows who wrote the files in {workdir}, because they are from before Pincer noted that. They count as strangers' texts. If they are yours: `pincer policy labels --trust {workdir}`.",
    zh: "{workdir} 中的文件来自 Pincer 开始记录来源之前，因此不知道是谁写的，会被当作陌生人的内容。如果它们是你自己的：`pincer policy labels --trust {workdir}`。",
  },
  "policy.labels": {
    en: "Show whose words are in a file or in the turns of a session, and what private sources it may hold",
    zh: "显示文件或会话各回合中有谁的内容，以及可能包含哪些私有来源",
  },
  "policy.labels.what": {
    en: "a file, a folder, or a session; without it, the main session",
    zh: "文件、文件夹或会话；省略则为主会话",
  },
  "policy.labels.trust": {
    en: "count this file, or all files in this folder, as yours from now on, as they are now",
    zh: "从现在起把这个文件或文件夹中所有文件的当前内容当作你自己的",
  },
  "policy.labels.none": { en: "There is nothing to show.", zh: "没有可显示的内容。" },
  "policy.labels.cut": { en: "There are more; --limit shows them.", zh: "还有更多；用 --limit 显示。" },
  "policy.labels.trusted": {
    en: "{count} files count as yours from now on, as they are now.",
    zh: "{count} 个文件的当前内容从现在起算作你自己的。",
  },
  "policy.labels.skipped": {
    en: "Too large or not readable, so they stay as they were: {files}",
    zh: "太大或无法读取，保持原样：{files}",
  },
  "policy.label.trusted": { en: "yours", zh: "你的" },
  "policy.label.untrusted": { en: "untrusted", zh: "不可信" },
  "policy.label.why.tool": { en: "written by the assistant", zh: "由助手写入" },
  "policy.label.why.owner": { en: "you said that it is yours", zh: "你确认是自己的" },
  "policy.label.why.accepted": { en: "you accepted this version", zh: "你接受了这个版本" },
  "policy.label.why.known": { en: "no program ran when it was changed", zh: "修改时没有程序在运行" },
  "policy.label.why.program": { en: "a program may have changed it", zh: "可能被程序修改过" },
  "policy.label.why.unrecorded": { en: "from before this was noted", zh: "来自开始记录之前" },
  "policy.label.why.lost": { en: "what was known of it is lost", zh: "关于它的记录已丢失" },
  "policy.accept": {
    en: "Show what has changed in files that steer the assistant, and accept them as they are now",
    zh: "显示引导助手的文件有哪些改动，并接受其当前内容",
  },
  "policy.accept.path": {
    en: "one such file, or a folder with them; without it, the agent's workdir",
    zh: "这样的一个文件或包含它们的文件夹；省略则为代理的工作目录",
  },
  "policy.accept.none": {
    en: "Everything in {workdir} that steers the assistant is accepted.",
    zh: "{workdir} 中引导助手的内容都已被接受。",
  },
  "policy.accept.changed": { en: "{name}, changed since you accepted it:", zh: "{name}，自你接受后有改动：" },
  "policy.accept.new": { en: "{name}, new:", zh: "{name}，新文件：" },
  "policy.accept.large": { en: "{name} is too large.", zh: "{name} 太大。" },
  "policy.accept.sure": {
    en: "Show these to the assistant in every prompt?",
    zh: "要在每个提示词中都放入这些内容吗？",
  },
  "policy.accept.not": { en: "Nothing was accepted.", zh: "没有接受任何内容。" },
  "policy.accept.done": { en: "Accepted: {files}", zh: "已接受：{files}" },
  "policy.no-file": { en: "there is no file {path}", zh: "没有文件 {path}" },
  "policy.no-file.hint": {
    en: "Name a file or folder by its path, or a session by its key (pincer sessions list).",
    zh: "请给出文件或文件夹的路径，或会话的键（pincer sessions list）。",
  },
  "policy.one-of": { en: "a file and a session cannot be shown at once", zh: "不能同时显示文件和会话" },
  "policy.one-of.hint": { en: "Name one of them.", zh: "请只给出其中一个。" },
  "policy.too-many": { en: "there are more than {most} files in it", zh: "其中有超过 {most} 个文件" },
  "policy.too-many.hint": { en: "Name its folders one by one.", zh: "请逐个给出其中的文件夹。" },
  "policy.no-steering": { en: "nothing in {path} steers the assistant", zh: "{path} 中没有引导助手的内容" },
  "policy.no-steering.hint": {
    en: "These do: AGENTS.md, SOUL.md, USER.md, IDENTITY.md, TOOLS.md, HEARTBEAT.md, .agent/system-prompt.md, and skills.",
    zh: "会引导助手的有：AGENTS.md、SOUL.md、USER.md、IDENTITY.md、TOOLS.md、HEARTBEAT.md、.agent/system-prompt.md 以及技能。",
  },
  "policy.accept.moved": {
    en: "Changed since it was shown, and so not accepted; look again: {files}",
    zh: "显示之后又有改动，因此没有接受；请重新查看：{files}",
  },
} satisfies TextTable;
