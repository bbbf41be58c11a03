import { Type } from "typebox";
import { agentIdText, choice, count, secretText, section, text } from "./keys.ts";

export const hookSection = section("What a call to this address triggers.", "调用此地址的程序会触发什么。", {
  secret: secretText(
    "What the caller signs with, or sends as a bearer token.",
    "调用者用于签名，或作为 bearer 令牌发送的内容。",
  ),
  signature: Type.Optional(
    choice(
      "How the caller authenticates: hmac (X-Pincer-Signature with a timestamp), github (X-Hub-Signature-256), or bearer. Default: hmac.",
      "调用者如何证明身份：hmac（带时间戳的 X-Pincer-Signature）、github（X-Hub-Signature-256）或 bearer。未设置时为 hmac。",
      ["hmac", "github", "bearer"],
    ),
  ),
  action: Type.Optional(
    choice(
      "turn: a run in a session of the hook. wake: the main session gets the call and answers. Default: turn.",
      "turn：在该钩子的会话中运行。wake：由主会话接收并回答。默认为 turn。",
      ["turn", "wake"],
    ),
  ),
  agentId: Type.Optional(agentIdText("Which agent answers.", "由哪个智能体回答。")),
  sessionKey: Type.Optional(
    text("The session to use instead of the hook's own.", "交给哪个会话，代替该钩子自己的会话。"),
  ),
  deliver: Type.Optional(
    text(
      'Where the answer goes, as "channel:id"; without it nobody gets the answer.',
      "回答发往何处，写作“channel:id”；未设置则不写给任何人。",
    ),
  ),
  template: Type.Optional(
    text(
      "The text for the agent; {{body.a.b}}, {{headers.x}} and {{body}} are replaced by content of the call.",
      "交给智能体的文本；{{body.a.b}}、{{headers.x}} 和 {{body}} 会替换为调用的内容。",
    ),
  ),
  maxPerMinute: Type.Optional(count("Accepted calls per minute.", "每分钟接受的调用数。", { minimum: 1 })),
});
