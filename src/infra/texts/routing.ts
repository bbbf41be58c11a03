import type { TextTable } from "./table.ts";

/** What people are told before, or instead of, an answer: the door, commands, the queue. */
export const routingTexts = {
  "routing.pairing": {
    en: "I do not know you yet, so I have not read your message. To get access, give the owner this code: {code}\nThe owner approves it with: pincer pairing approve {code}",
    zh: "我还不认识你，所以没有读你的消息。若要使用，请把这个配对码交给所有者：{code}\n所有者用这条命令放行：pincer pairing approve {code}",
  },
  "routing.claimed": {
    en: "Welcome. You are my owner here from now on.",
    zh: "欢迎。从现在起，你在这里就是我的所有者。",
  },
  "routing.in-doubt": {
    en: "I have lost some of my data, and do not know for certain who may talk to me. My owner has to look first, on the machine that I run on: pincer doctor.",
    zh: "我丢失了一部分数据，无法确定谁可以与我对话。需要所有者先在运行我的机器上查看：pincer doctor。",
  },
  "routing.nothing-runs": { en: "Nothing is running.", zh: "当前没有正在进行的任务。" },
  "routing.full": {
    en: "I am busy: {waiting} messages are already waiting, so I have not accepted this one. Please send it again later, or say stop.",
    zh: "我正忙：已有 {waiting} 条消息在等待，这一条没有收下。请稍后再发，或说“停”。",
  },
  "routing.pairing-asked": {
    en: "{name} ({sender}) asks for access. To approve: pincer pairing approve {code}",
    zh: "{name}（{sender}）请求使用。若要放行：pincer pairing approve {code}",
  },
  "routing.message-dead": {
    en: "A message from {sender} was quarantined: handling it failed {attempts} times. It was not answered. See: pincer deadletters list",
    zh: "来自 {sender} 的一条消息已搁置：处理失败 {attempts} 次，未能回答。查看：pincer deadletters list",
  },
  "routing.set-aside": {
    en: "I could not handle this message: it failed {attempts} times. It is quarantined, and my owner can look into it.",
    zh: "我无法处理这条消息：已失败 {attempts} 次。已将其搁置，由我的所有者查看。",
  },
  "routing.command.unknown": {
    en: "There is no command {name}. {prefix}help lists all commands.",
    zh: "没有命令 {name}。发送 {prefix}help 查看可用命令。",
  },
  "routing.command.new": { en: "A new session has started.", zh: "新会话已开始。" },
  "routing.command.status": {
    en: "Agent {agentId}, session {sessionKey}: {messages} messages, {state}.",
    zh: "智能体 {agentId}，会话 {sessionKey}：{messages} 条消息，{state}。",
  },
  "routing.command.status.running": { en: "a turn is running", zh: "正在处理" },
  "routing.command.status.idle": { en: "nothing is running", zh: "空闲" },
  "routing.command.status.load": {
    en: "In total: {running} running, {waiting} waiting.",
    zh: "总计：{running} 个正在处理，{waiting} 个等待中。",
  },
  "routing.command.whoami": {
    en: "You are {person}, {role}. Agent {agentId} answers you in session {sessionKey} ({rule}).",
    zh: "你是 {person}，{role}。由智能体 {agentId} 在会话 {sessionKey} 中回答你（{rule}）。",
  },
  "routing.command.role.owner": { en: "my owner", zh: "我的所有者" },
  "routing.command.role.peer": { en: "a guest", zh: "访客" },
} satisfies TextTable;
