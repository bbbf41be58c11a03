import { Type } from "typebox";
import { agentIdText, choice, count, secretText, section, text } from "./keys.ts";

export const hookSection = section("What a program that calls this address sets off.", {
  secret: secretText("What the caller signs with, or sends as a bearer token."),
  signature: Type.Optional(
    choice(
      "How the caller proves itself: hmac (X-Pincer-Signature with a timestamp), github (X-Hub-Signature-256), or bearer. hmac unless it is given.",
      ["hmac", "github", "bearer"],
    ),
  ),
  action: Type.Optional(
    choice(
      "turn: a run of its own, in a session of the hook. wake: the main session hears of it and answers. turn unless it is given.",
      ["turn", "wake"],
    ),
  ),
  agentId: Type.Optional(agentIdText("Which agent answers.")),
  sessionKey: Type.Optional(text("Session that it goes to, instead of the hook's own.")),
  deliver: Type.Optional(text('Where the answer goes, as "channel:id"; without it nobody is written to.')),
  template: Type.Optional(
    text("What the agent is told; {{body.a.b}}, {{headers.x}} and {{body}} stand for what came."),
  ),
  maxPerMinute: Type.Optional(count("Calls a minute that are taken.", { minimum: 1 })),
});
