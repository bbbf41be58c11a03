import { defineTool, PincerError, type MessageAction, type Tool } from "@pincer/sdk";
import { Type, type Static } from "typebox";
import { oneLine } from "../../infra/one-line.ts";
import { granted, type MessageAccess, type Recipient, type SentMessage } from "./conversation-access.ts";

const actions = ["send", "reply", "poll"] as const;

const input = Type.Object({
  action: Type.Enum([...actions]),
  text: Type.String(),
  to: Type.Optional(Type.String({ description: "Contact, channel:id or session key" })),
  options: Type.Optional(Type.Array(Type.String())),
  replyTo: Type.Optional(Type.String()),
});

type Input = Static<typeof input>;

/** Sends the same text once per turn, so a call that a crash interrupted can be repeated. */
export function createMessageTool({ find, send, shown }: MessageAccess): Tool {
  return defineTool({
    name: "message",
    effect: "act",
    resultOrigin: "system",
    idempotent: true,
    controls: { to: "recipient" },
    leaves: ["text", "options"],
    description: "Send a message or poll; without `to`, here. After a reply here end with NO_REPLY.",
    input,
    async describe(asked, call) {
      const recipient = granted(await find(asked.to, call));
      return {
        shown: shown({ recipient, text: wordsOf(asked) }),
        exact: exactly(asked, recipient),
        recipient: recipient.key,
      };
    },
    async run(asked, call) {
      checkFit(asked);
      const recipient = granted(await find(asked.to, call));
      if (call.exact !== undefined && call.exact !== exactly(asked, recipient))
        throw new Error("this is not what the owner said yes to: it would go elsewhere by now");
      if (asked.replyTo !== undefined && !recipient.isOwn)
        throw new Error("replyTo names a message of this conversation; leave it out");
      const replyTo = asked.replyTo ?? (asked.action === "reply" ? "current" : undefined);
      const text = wordsOf(asked);
      const sent = await send(
        { recipient, text, actions: buttonsOf(asked), replyTo: recipient.isOwn ? replyTo : undefined },
        call,
      );
      const { key, name, isOwn } = recipient;
      return {
        text: outcomeWords(sent, isOwn ? "this conversation" : name === undefined ? key : `${name} (${key})`),
        details: { recipient: key, isOwn, outcome: sent.outcome, ...(isOwn && { text }) },
      };
    },
  });
}

const mostOptions = 10;
const longestOption = 100;
const longestText = 20_000;

/** Checks that are not in the schema, because each word of a schema is sent with every request. */
function checkFit({ action, text, options, to }: Input): void {
  if (text.trim() === "") throw unfit("there is nothing to say in it");
  if (text.length > longestText) throw unfit(`text is longer than ${longestText} characters`);
  if (action === "reply" && to !== undefined)
    throw unfit("a reply goes to this conversation; to is for send");
  if (action !== "poll" && options !== undefined) throw unfit("options are for a poll");
  if (action === "poll") checkOptions(options ?? []);
}

function checkOptions(options: readonly string[]): void {
  if (options.length < 2 || options.length > mostOptions)
    throw unfit(`a poll has 2 to ${mostOptions} options`);
  if (options.some((option) => option.trim() === "" || option.length > longestOption))
    throw unfit(`an option has 1 to ${longestOption} characters`);
}

const unfit = (what: string) => new PincerError("tool/invalid-args", `message: ${what}`);

/** A poll is plain text on every channel: without buttons people answer with the number. */
const wordsOf = ({ text, options = [] }: Input): string =>
  [text, ...options.map((option, index) => `${index + 1}. ${oneLine(option)}`)].join("\n");

/** A button sends a number and nothing else: a press counts as typed, and the words are not the person's. */
const buttonsOf = ({ options }: Input): MessageAction[] | undefined =>
  options?.map((option, index) => ({ label: oneLine(option), send: String(index + 1) }));

const exactly = (asked: Input, { key }: Recipient): string =>
  JSON.stringify(["message", asked.action, key, wordsOf(asked), asked.replyTo ?? null]);

function outcomeWords({ outcome, reason = "" }: SentMessage, whom: string): string {
  switch (outcome) {
    case "underway":
      return `on its way to ${whom}`;
    case "stored":
      return `stored for ${whom}; it goes out when the gateway runs`;
    case "repeated":
      return `the same was sent to ${whom} in this turn already; not sent again`;
    case "failed":
      return `the same was tried to ${whom} in this turn and could not be delivered: ${reason}`;
  }
}
