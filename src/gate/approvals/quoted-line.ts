/**
 * A text that anybody may have written, in a message of ours: on one line, between marks of code that it cannot close.
 * Networks follow no address there, run no command and render no markup; what cannot be seen is shown by its number.
 */
import { shorten } from "../../infra/one-line.ts";
import { inertAddresses } from "../leaving/guard-reply.ts";
import { visibleCommand } from "../../sandbox/shell/visible-command.ts";

const mostOfLine = 500;

/** Pure. */
export function quotedLine(text: string, most = mostOfLine): string {
  const line = visibleCommand(text.replaceAll(/\s*\n\s*/g, " ")).trim();
  const shown = inertAddresses(shorten(line, most)).replaceAll("`", "⟨U+0060⟩");
  return shown === "" ? "-" : `\`${shown}\``;
}
