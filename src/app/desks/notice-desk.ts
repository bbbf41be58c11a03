/** What needs the owner. */
import { failure } from "../../infra/failure.ts";
import type { NoticeStore } from "../../storage/notices.ts";
import type { Desk } from "./desk.ts";

export function createNoticeDesk(notices: Pick<NoticeStore, "list" | "dismiss">): Desk<"notices"> {
  return {
    list: async ({ limit = 50, all = false }) => ({ notices: await notices.list({ limit, all }) }),
    async dismiss({ id }) {
      if (await notices.dismiss(id)) return { dismissed: id };
      throw failure("message/not-found", "notices.none-open", { id }, { hint: "notices.none-open.hint" });
    },
  };
}
