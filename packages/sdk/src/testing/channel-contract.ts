/** The contract of every connector, as one suite. Run it against yours with a fake of its network. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Check } from "typebox/value";
import type { Channel, ChannelConnection, SendAttempt } from "../channel.ts";
import { InboundMessage } from "../inbound-message.ts";
import type { OutboundMessage } from "../outbound-message.ts";
import { SendError, type SendErrorCode } from "../send-error.ts";
import { createRecordingHost, type RecordingHost } from "./recording-channel-host.ts";

/** A connector with the stand-in for its network. */
export interface ChannelStage {
  channel: Channel;
  config: unknown;
  /**
   * The network's names for the chats `ann` and `bob` and the messages `a1` and `a2` of the suite, if it does not
   * accept any text.
   */
  names?: Readonly<Record<string, string>>;
  /** A person writes to us in this direct chat. `id` is the network's own id of it; the connector may put its chat before it. Need not wait until it is received. */
  write(message: { id: string; text: string; chat: string }): Promise<unknown>;
  /** What people see in that chat, in order, as it reads now. */
  seen(chat: string): Promise<string[]>;
  /** Makes the next send fail; left out where the network cannot be made to. */
  failNextSend?(code: SendErrorCode): void;
  /** Ends the stand-in. */
  close(): Promise<void>;
}

export function describeChannelContract(name: string, makeStage: () => Promise<ChannelStage>): void {
  describe(`${name} keeps the promises of a connector`, () => {
    let stage: ChannelStage;
    let host: RecordingHost;
    let connection: ChannelConnection;
    const named = (name: string) => stage.names?.[name] ?? name;
    const write = (message: { id: string; text: string; chat: string }) =>
      stage.write({ ...message, id: named(message.id), chat: named(message.chat) });
    const seen = (chat: string) => stage.seen(named(chat));
    const endingIn = (id: string): string => expect.stringMatching(new RegExp(`${named(id)}$`)) as string;
    const connect = async () => (connection = await stage.channel.connect(stage.config, host));
    beforeEach(async () => {
      stage = await makeStage();
      host = createRecordingHost();
      await connect();
    });
    afterEach(async () => {
      host.stop();
      await connection.close();
      await stage.close();
    });

    it("PROTO-08 hands over what people write in the one shape, each with its own id", async () => {
      await write({ id: "a1", text: "hello 你好", chat: "ann" });
      await host.until(1);
      const [message] = host.received;
      const home = { tenantId: "t", workspaceId: "w", channel: stage.channel.id, accountId: "default" };
      expect(Check(InboundMessage, { ...home, ...message })).toBe(true);
      expect(message).toMatchObject({
        peer: { kind: "user", id: named("ann") },
        message: { type: "text", id: endingIn("a1"), text: "hello 你好", mentioned: true },
      });
      expect(message?.sender.id).not.toBe("");
    });

    it("PROTO-11 brings a message again that was not stored, after it has connected anew", async () => {
      host.refuse = new Error("the disk is full");
      await write({ id: "a1", text: "keep me", chat: "ann" });
      await host.untilDelivered(1);
      host.refuse = undefined;
      await reconnect();
      await host.until(1);
      expect(host.received[0]?.message).toMatchObject({ id: endingIn("a1") });
    });

    it("PROTO-11 goes on after a message that came twice", async () => {
      await write({ id: "a1", text: "one", chat: "ann" });
      await write({ id: "a1", text: "one", chat: "ann" });
      await write({ id: "a2", text: "two", chat: "ann" });
      await host.until(2);
      expect(host.received.map(({ message }) => message.id)).toEqual([endingIn("a1"), endingIn("a2")]);
    });

    it("PLUG-06 goes on after a reconnect with what came in between", async () => {
      await write({ id: "a1", text: "before", chat: "ann" });
      await host.until(1);
      await connection.close();
      await write({ id: "a2", text: "meanwhile", chat: "ann" });
      await reconnect();
      await connection.backfill?.(host.signal);
      await host.until(2);
      expect(host.received.map(({ message }) => message.id)).toEqual([endingIn("a1"), endingIn("a2")]);
    });

    it("PROTO-09 resolves a send when the network has taken it", async () => {
      await connection.send(outbound("ann", "first"), attempt("k1"));
      await connection.send(outbound("bob", "other"), attempt("k2"));
      await connection.send(outbound("ann", "second"), attempt("k3"));
      expect(await seen("ann")).toEqual(["first", "second"]);
      expect(await seen("bob")).toEqual(["other"]);
    });

    it("PROTO-09 tells the truth about what was sent, where it can be asked or drops second sends", async () => {
      await connection.send(outbound("ann", "once"), attempt("k1"));
      const { signal } = new AbortController();
      const { target } = outbound("ann", "");
      expect((await connection.querySent?.(target, "k1", signal))?.type ?? "sent").toBe("sent");
      expect((await connection.querySent?.(target, "k9", signal))?.type ?? "not-sent").toBe("not-sent");
      if (stage.channel.traits.idempotentSend)
        await connection.send(outbound("ann", "once"), { ...attempt("k1"), attempt: 2 });
      expect(await seen("ann")).toEqual(["once"]);
    });

    it("PROTO-09 edits what it sent, where it can; the same edit twice is one", async () => {
      const { messageId } = await connection.send(outbound("ann", "draft"), attempt("k1"));
      const edit = connection.edit?.bind(connection);
      if (edit && messageId !== undefined) {
        await edit(outbound("ann", "final"), messageId, attempt("k1"));
        await edit(outbound("ann", "final"), messageId, attempt("k1"));
      }
      expect(await seen("ann")).toEqual([edit && messageId !== undefined ? "final" : "draft"]);
    });

    it.each(["rate-limited", "unavailable", "rejected", "closed"] as const)(
      "PLUG-06 names a failed send with the word %s and works again afterwards",
      async (code) => {
        const { failNextSend } = stage;
        failNextSend?.call(stage, code);
        const failure = failNextSend
          ? await connection.send(outbound("ann", "lost"), attempt("k1")).catch((error: unknown) => error)
          : new SendError(code, "not tried");
        expect(failure).toBeInstanceOf(SendError);
        expect(failure).toMatchObject({ code });
        if (code === "closed") await reconnect();
        await connection.send(outbound("ann", "works"), attempt("k2"));
        expect(await seen("ann")).toEqual(["works"]);
      },
    );

    it("PLUG-06 does not begin a send whose signal has aborted", async () => {
      const sending = connection.send(outbound("ann", "too late"), {
        ...attempt("k1"),
        signal: AbortSignal.abort(),
      });
      await expect(sending).rejects.toBeInstanceOf(Error);
      expect(await seen("ann")).toEqual([]);
    });

    it("PLUG-06 can be closed twice, and receives nothing afterwards", async () => {
      await connection.close();
      await connection.close();
      await write({ id: "a1", text: "anybody there?", chat: "ann" });
      await new Promise((resolve) => setImmediate(resolve));
      expect(host.deliveries).toEqual([]);
    });

    async function reconnect(): Promise<void> {
      host.stop();
      await connection.close();
      host.reopen();
      await connect();
    }

    const outbound = (chat: string, text: string): OutboundMessage => ({
      channel: stage.channel.id,
      accountId: host.accountId,
      target: { peerKind: "user", peerId: named(chat) },
      response: { text, attachments: [] },
    });
  });
}

const attempt = (idempotencyKey: string): SendAttempt => ({
  idempotencyKey,
  attempt: 1,
  signal: new AbortController().signal,
});
