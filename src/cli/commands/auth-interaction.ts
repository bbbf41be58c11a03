/** How a provider login talks to the person at the terminal: everything on stderr, so that stdout stays for results. */
import { createInterface } from "node:readline/promises";
import type { logIn } from "../../gateway/methods/auth-login.ts";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { readSecret } from "../read-secret.ts";

type Interaction = Parameters<typeof logIn>[1];
type Prompt = Parameters<Interaction["prompt"]>[0];

/** How long a login is waited for where nobody sits at a terminal who could stop it. */
const aloneMs = 15 * 60_000;

/** `over` ends the time limit that holds where there is no terminal; call it when the login has ended. */
export function createLoginInteraction(
  context: CommandContext,
  clock: Clock,
): Interaction & { over(): void } {
  const { terminal, say } = context;
  const tell = (line: string) => terminal.err(`${plainText(line)}\n`);
  const isAtTerminal = terminal.stdin.isTTY === true && terminal.errIsTerminal;
  const late = new AbortController();
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, late.signal]);
  if (!isAtTerminal)
    void clock.sleep(aloneMs, over.signal).then(
      () => late.abort(tookTooLong()),
      () => {},
    );

  return {
    signal,
    over: () => over.abort(),
    notify(event) {
      if (event.type === "auth_url") {
        tell(say("auth.login.url", { url: event.url }));
        if (event.instructions) tell(event.instructions);
      } else if (event.type === "device_code") {
        tell(say("auth.login.device", { url: event.verificationUri, code: event.userCode }));
      } else {
        tell(event.message);
        for (const { url, label } of (event.type === "info" && event.links) || [])
          tell(label ? `${label}: ${url}` : url);
      }
    },
    prompt: (prompt) => (isAtTerminal ? ask(context, prompt, tell) : answerAlone(prompt, signal)),
  };
}

async function ask(context: CommandContext, prompt: Prompt, tell: (line: string) => void): Promise<string> {
  const { terminal, say } = context;
  const signal = prompt.signal ? AbortSignal.any([context.signal, prompt.signal]) : context.signal;
  if (prompt.type === "secret") return readSecret({ terminal, signal }, `${prompt.message} `);
  tell(prompt.message);
  const { options } = prompt.type === "select" ? prompt : { options: [] };
  for (const [index, { label }] of options.entries()) tell(`  ${index + 1}. ${label}`);
  const line = createInterface({ input: terminal.stdin, output: process.stderr });
  try {
    const answer = await line.question(options.length > 0 ? say("auth.login.choose") : "> ", { signal });
    if (options.length === 0) return answer;
    const chosen = options[Number(answer.trim() || "1") - 1];
    if (!chosen) return await ask(context, prompt, tell);
    return chosen.id;
  } finally {
    line.close();
  }
}

const tookTooLong = () =>
  failure(
    "model/failed",
    "auth.login.too-long",
    { minutes: aloneMs / 60_000 },
    { hint: "auth.login.too-long.hint" },
  );

/**
 * Without a terminal: a code that can be entered on another device, else the first choice; the usual answer; a code that could be pasted
 * is waited for elsewhere.
 */
function answerAlone(prompt: Prompt, signal: AbortSignal): Promise<string> {
  if (prompt.type === "select") {
    const device = prompt.options.find(({ id }) => /device/i.test(id));
    return Promise.resolve((device ?? prompt.options[0])?.id ?? "");
  }
  if (prompt.type === "text") return Promise.resolve("");
  const ends = prompt.signal ? AbortSignal.any([signal, prompt.signal]) : signal;
  return new Promise((_resolve, reject) => {
    if (ends.aborted) reject(ends.reason);
    ends.addEventListener("abort", () => reject(ends.reason), { once: true });
  });
}
