import { inertAddresses } from "../leaving/guard-reply.ts";

/** The most of a difference that a message of a chat shows. */
export const mostDiffChars = 3000;

/** Anybody may have written it: it cannot end the block, and no client follows an address in it. Pure. */
export const fencedDiff = (text: string): string =>
  [
    fence,
    inertAddresses(text.slice(0, mostDiffChars)).replaceAll(fence, "⟨U+0060⟩⟨U+0060⟩⟨U+0060⟩"),
    fence,
  ].join("\n");

const fence = "```";
