/** Notices: what the owner should know without asking. */
import { Type } from "typebox";
import { answer, language, limit, method, name } from "./method.ts";

export const noticesMethods = {
  /** Newest first; only open ones, unless `all`. With a language, each has its text. */
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
  /** A key of the catalogue of texts. */
  text: { key: string; parameters: Record<string, string | number> };
  /** In the requested language. */
  words?: string | undefined;
  createdAt: string;
  dismissedAt: string | null;
}
