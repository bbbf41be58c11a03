/** What a dry run would have done, as a message of a chat. */
import { dryEffectWords, type DryRunView } from "@pincer/sdk";
import { quotedLine } from "../gate/approvals/quoted-line.ts";
import { fencedDiff, mostDiffChars } from "../gate/approvals/fenced-diff.ts";
import { reasonTexts } from "../infra/gate-reasons.ts";
import type { Say } from "../infra/texts.ts";

/** Pure. */
export function dryRunText({ effects, changes }: DryRunView, say: Say): string {
  if (effects.length === 0 && !changes) return say("dry-run.none");
  const texts = reasonTexts(say, quotedLine);
  return [
    say("dry-run.head"),
    ...effects.map((effect) => `- ${dryEffectWords(effect, texts)}: ${quotedLine(effect.shown)}`),
    ...(changes ? [`- ${say("dry-run.changes", { ...counts(changes) })}`, fencedDiff(changes.text)] : []),
    ...(changes && (!changes.isWhole || changes.text.length > mostDiffChars)
      ? [say("changes.not-whole")]
      : []),
  ].join("\n");
}

const counts = ({ files, added, removed }: NonNullable<DryRunView["changes"]>) => ({ files, added, removed });
