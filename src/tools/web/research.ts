/**
 * Sends a scout: a reader of the web that knows nothing private, so that it may open whatever it finds. What it reports
 * is somebody else's text.
 */
import { clean, defineTool, type Label, type Tool, type ToolCallContext } from "@pincer/sdk";
import { Type } from "typebox";
import { labelUntrusted } from "./untrusted-text.ts";

export interface ScoutBrief {
  question: string;
  urls: readonly string[];
  /** Strangers may have had a say in it. */
  isTainted: boolean;
}

export interface ScoutReport {
  text: string;
  /** Addresses of the pages that it read. */
  pages: string[];
}

/** Rejects with the signal's reason when it aborts, and with what went wrong in words for the model. */
export type SendScout = (
  errand: { turnId: string; callId: string; brief?: ScoutBrief },
  signal: AbortSignal,
) => Promise<ScoutReport>;

const mostShown = 8;

/** Without `send` there are no turns that a scout could belong to. */
export const createResearchTool = ({ send }: { send: SendScout | undefined }): Tool =>
  defineTool({
    name: "research",
    aliases: ["scout"],
    effect: "read",
    controls: {},
    leaves: [],
    resultOrigin: "web",
    description: "Have the web read by a helper that knows nothing private.",
    input: Type.Object({
      question: Type.String(),
      urls: Type.Optional(Type.Array(Type.String())),
    }),
    async run({ question, urls = [] }, call) {
      if (!send || call.turnId === undefined)
        throw new Error("research works in a conversation only; use web_search and web_fetch here");
      const { untrusted, sources } = await labelOf(call);
      const isBriefed = !untrusted || sources.length === 0;
      const errand = { turnId: call.turnId, callId: call.callId };
      const { text, pages } = await send(
        isBriefed ? { ...errand, brief: { question, urls, isTainted: untrusted } } : errand,
        call.signal,
      );
      const read = pages.length > 0 ? `\n\nPages read:\n${pages.join("\n")}` : "";
      const told = labelUntrusted({ from: "the web, through research", text: `${text}${read}` });
      return {
        from: "research",
        label: { untrusted: true, sources: [] },
        text: isBriefed ? told : `${unbriefed}\n${told}`,
        // Chosen by code and not by the model: all of them, in their order.
        ...(pages.length > 0 && { forUser: pages.slice(0, mostShown).join("\n") }),
        details: { pages, isBriefed },
      };
    },
  });

const unbriefed =
  "[Texts of others and private things were read here before: the question was not passed on. The helper saw the person's present message alone.]";

/** A text that strangers had a say in may carry what else is known. */
async function labelOf({
  contextLabel,
  byHand,
}: Pick<ToolCallContext, "contextLabel" | "byHand">): Promise<Label> {
  if (byHand !== undefined) return clean;
  return (await contextLabel?.()) ?? unknown;
}

const unknown: Label = { untrusted: true, sources: ["workdir"] };
