/** Opens what an earlier turn of the session left and the request shows as a handle. What is opened taints the turn. */
import { defineTool, type ImageBlock, type Label, type Origin, type Tool } from "@pincer/sdk";
import { Type } from "typebox";
import { goesOn } from "./result-read.ts";
import { pageOf } from "./text-page.ts";

export interface RecallParts {
  /** What the entry of that number holds; undefined if there is none, or nothing to read in it. */
  open(sessionKey: string, seq: number): Promise<Recalled | undefined>;
}

export interface Recalled {
  /** As handles name it: `answer`, `result of web_fetch`. */
  kind: string;
  text: string;
  images: ImageBlock[];
  origin: Origin;
  from: string;
  label: Label;
  /** Of a result. */
  toolName?: string;
}

/** The handle names the entry and the call names the session, so no handle reaches another session. */
export const createRecallTool = ({ open }: RecallParts): Tool =>
  defineTool({
    name: "recall",
    effect: "read",
    controls: {},
    description: "Open a handle such as #14.",
    input: Type.Object({
      handle: Type.Integer({ minimum: 1 }),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    // Other people's turns are shown no handles.
    isVisible: ({ userRoles }) => !userRoles.includes("peer"),
    async run({ handle, ...page }, call) {
      const found = await open(call.sessionKey, handle);
      if (!found) throw new Error(`this conversation has nothing to open at #${handle}`);
      const { kind, origin, from: source, label, images, toolName = "" } = found;
      const { text, place, ...range } = pageOf(found.text, { ...page, name: `#${handle}` });
      return {
        text: `${goesOn(toolName, range.from)}${text}\n[#${handle} ${kind}: ${place}]`,
        details: { handle, kind, ...range },
        origin,
        from: source,
        label,
        ...(range.from === 0 && images.length > 0 && { images }),
      };
    },
  });
