import { Type } from "typebox";
import { agentIdText, choice, count, secretText, section, text } from "./keys.ts";

export const hookSection = section(
  "What a program that calls this address sets off.",
  "调用此地址的程序会触发什么。",
  {
    secret: secretText(
      "What the caller signs with, or sends as a bearer token.",
      "调用者用于签名，或作为 bearer 令牌发送的内容。",
    ),
    signature: Type.Optional(
      choice(
        "How the caller proves itself: hmac (X-Pincer-Signature with a timestamp), github (X-Hub-Signature-256), or bearer. hmac unless it is given.",
        "调用者如何证明身份：hmac（带时间戳的 X-Pincer-Signature）、github（X-Hub-Signature-256）或 bearer。未设置时为 hmac。",
        ["hmac", "github", "bearer"],
      ),
    ),
    action: Type.Optional(
      choice(
        "turn: a run of its own, in a session of the hook. wake: the main session hears of it and answers. turn unless it is given.",
        "turn：在该钩子的会话中单独运行。wake：主会话得知并回答。未设置时为 turn。",
        ["turn", "wake"],
      ),
    ),
    agentId: Type.Optional(agentIdText("Which agent answers.", "由哪个智能体回答。")),
    sessionKey: Type.Optional(
      text("Session that it goes to, instead of the hook's own.", "交给哪个会话，代替该钩子自己的会话。"),
    ),
    deliver: Type.Optional(
      text(
        'Where the answer goes, as "channel:id"; without it nobody is written to.',
        "回答发往何处，写作“channel:id”；未设置则不写给任何人。",
      ),
    ),
    template: Type.Optional(
      text(
        "What the agent is told; {{body.a.b}}, {{headers.x}} and {{body}} stand for what came.",
        "告诉智能体什么；{{body.a.b}}、{{headers.x}} 和 {{body}} 代表收到的内容。",
      ),
    ),
    maxPerMinute: Type.Optional(
      count("Calls a minute that are taken.", "每分钟接受的调用数。", { minimum: 1 }),
    ),
  },
);
