/** Notices: what needs the owner's attention. */
import { failure } from "../../infra/failure.ts";
import { createSay } from "../../infra/texts.ts";
import type { NoticeStore } from "../../storage/outbox/notices.ts";
import type { Api } from "./api.ts";
import { sayNotice } from "../../infra/say-notice.ts";

export function createNoticeApi(notices: Pick<NoticeStore, "list" | "dismiss">): Api<"notices"> {
  return {
    async list({ limit = 50, all = false, language }) {
      const found = await notices.list({ limit, all });
      if (language === undefined) return { notices: found };
      const say = createSay(language);
      return { notices: found.map((notice) => ({ ...notice, words: sayNotice(notice, say) })) };
    },
    async dismiss({ id }) {
      if (await notices.dismiss(id)) return { dismissed: id };
      throw failure("message/not-found", "notices.none-open", { id }, { hint: "notices.none-open.hint" });
    },
  };
}
