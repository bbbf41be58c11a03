/** Whether a sign-in link may replace a valid session. A no does not use up the link. */
import { askFirst } from "../../shell/ask-first.ts";
import type { Say } from "../../texts/texts.ts";

export const askAboutLink = (host: HTMLElement, role: string, say: Say): Promise<boolean> =>
  askFirst(
    host,
    say("sign-in.link.instead", { role }),
    {
      detail: say("sign-in.link.instead.detail"),
      yes: say("sign-in.link.yes"),
      no: say("sign-in.link.no", { role }),
      usual: "no",
    },
    say,
  );
