/** Reports the result of a revert. */
import type { MethodResults } from "@pincer/sdk";
import type { Page } from "../../shell/page.ts";

export function revertTo({ say, tell }: Page, done: MethodResults["config.revert"]): void {
  if (done.inForce === false)
    tell(say("config.written.waiting", { problems: done.problems.join("; ") }), "bad");
  else tell(say("config.reverted"), "good");
  const lost = [...done.lostSecrets, ...done.kept];
  if (lost.length > 0) tell(say("config.lost", { paths: lost.join(", ") }), "bad");
}
