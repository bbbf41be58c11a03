/**
 * Sends an answer that would take too many messages as its beginning and the whole as a file; where the channel has no files, as its beginning
 * and where the rest can be read.
 */
import type { Attachment, ChannelTraits, MediaStore } from "@pincer/sdk";
import type { Say } from "../infra/texts.ts";
import type { OutboxDraft } from "../storage/outbox/outbox.ts";
import type { Replies, ReplyRequest } from "./replies.ts";

export interface LongAnswers {
  /** As `drafts` of replies, for whatever length. Never throws. */
  drafts(request: ReplyRequest): Promise<OutboxDraft[]>;
}

export function createLongAnswers(parts: {
  replies: Replies;
  media: Pick<MediaStore, "store">;
  traitsOf(channel: string): Pick<ChannelTraits, "files">;
  /** The most messages that one answer may take. */
  mostMessages(): number;
  /** Where the page is; undefined where there is none. */
  pageAddress(): string | undefined;
  say: Say;
}): LongAnswers {
  const { replies, say } = parts;

  async function keep({ text, destination }: ReplyRequest): Promise<Attachment | undefined> {
    if (parts.traitsOf(destination.channel).files !== true) return undefined;
    const named = { mimeType: "text/markdown", name: "answer.md" };
    // A full disk must not cost the answer: then it is told where the rest is.
    return parts.media.store(Buffer.from(text), named).catch(() => undefined);
  }

  return {
    async drafts(request) {
      const whole = replies.drafts({ ...request, actions: [] });
      const most = Math.max(1, parts.mostMessages());
      if (whole.length <= most) return replies.drafts(request);
      const file = await keep(request);
      const shown = whole.slice(0, file ? 1 : most);
      const address = parts.pageAddress();
      const counts = { messages: whole.length, shown: shown.length };
      const text = file
        ? say("reply.as-file", counts)
        : address === undefined
          ? say("reply.go-on", counts)
          : say("reply.on-page", { ...counts, address });
      const note = { ...request, replyTo: null, text, attachments: file ? [file] : [] };
      return [...shown, ...replies.drafts(note)];
    },
  };
}
