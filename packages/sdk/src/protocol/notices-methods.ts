/** What the owner should know of and has not asked for. */
import { Type, type TObject } from "typebox";
import { change, language, limit, name, read, type Method } from "./method.ts";

export const noticesMethods = {
  /** Newest first; the open ones unless `all`. With a language, each in words. */
  "notices.list": read({ limit, all: Type.Optional(Type.Boolean()), language }),
  "notices.dismiss": change({ id: name }),
} as const satisfies Record<string, Method<TObject>>;

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

export interface NoticesResults {
  "notices.list": { notices: NoticeView[] };
  "notices.dismiss": { dismissed: string };
}
