/** What the steps of the first run share: the API, who can be asked, and the answers given as flags. */
import type { Command } from "commander";
import type { Api } from "../../gateway/methods/api.ts";
import type { Language } from "../../infra/texts/table.ts";
import { failure } from "../../infra/failure.ts";
import type { CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import type { Questions } from "../questions.ts";
import { readSecret } from "../read-secret.ts";
import { withApi } from "./with-api.ts";
import type { OnboardOptions } from "./onboard-answers.ts";

export interface Onboarding {
  place: { program: Command; context: CommandContext };
  options: OnboardOptions;
  /** Undefined if nobody is asked: without a terminal, with --yes or --json. */
  ask: Questions | undefined;
}

type InLanguage = { language?: Language };

/** Opened for each piece of work: what was written before is seen, and a gateway that was started meanwhile does it. */
export const atSetup = <Result>(
  { place }: Pick<Onboarding, "place">,
  work: (api: Api<"setup">, inLanguage: InLanguage) => Promise<Result>,
): Promise<Result> => withApi("setup", place, ({ api, language }) => work(api, language ? { language } : {}));

/** A line for the person; nothing under --json, which has its own document. */
export function tell({ place: { context }, options, ask }: Onboarding, line: string): void {
  if (options.json) return;
  if (ask) ask.tell(line);
  else context.terminal.err(`${plainText(line)}\n`);
}

/** The same for what has been done. */
export function tellGood(onboarding: Onboarding, line: string): void {
  if (onboarding.ask && !onboarding.options.json) onboarding.ask.good(line);
  else tell(onboarding, line);
}

/** Shows a progress sign at a terminal. */
export const during = <Result>(
  { ask }: Onboarding,
  line: string,
  work: () => Promise<Result>,
): Promise<Result> => (ask ? ask.during(line, work) : work());

/** The secret that the flags lead to; undefined where they name none. It is never an argument, and never printed. */
export async function secretByFlags(
  { place: { context } }: Onboarding,
  { stdin, variable }: { stdin: boolean | undefined; variable: string | undefined },
  name: string,
): Promise<string | undefined> {
  if (!stdin && variable === undefined) return undefined;
  const given = variable === undefined ? await readSecret(context, "") : context.environment[variable];
  const secret = given?.trim() ?? "";
  if (secret === "") throw failure("usage/bad-argument", "onboard.no-secret", { from: variable ?? "stdin" });
  context.redactor.add(name, secret);
  return secret;
}

/** Nobody can be asked: says which flag would have been the answer. */
export const missing = (flags: string, facts: Record<string, string> = {}) =>
  failure("usage/bad-argument", "onboard.missing", { flags, ...facts }, { hint: "onboard.missing.hint" });
