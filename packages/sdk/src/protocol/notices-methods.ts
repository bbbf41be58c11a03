/** What the owner should know of and has not asked for. */
import { Type } from "typebox";
import { answer, language, limit, method, name } from "./method.ts";

export const noticesMethods = {
  /** Newest first; the open ones unless `all`. With a language, each in words. */
  "notices.list": method({
    params: { limit, all: Type.Optional(Type.Boolean()), language },
    result: answer<{ notices: NoticeView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
  "notices.dismiss": method({
    params: { id: name },
    result: answer<{ dismissed: string }>(),
    effect: "change",
    permission: "notices.write",
    scope: "tenant",
  }),
};

export interface NoticeView {
  id: string;
  kind: string;
  subject: string;
  /** Words of the catalogue. */
  text: { key: string; parameters: Record<string, string | number> };
  /** In the language that was asked for. */
  words?: string | undefined;
  createdAt: string;
  dismissedAt: string | null;
}
