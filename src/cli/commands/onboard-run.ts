/**
 * The first run, step by step: each step starts with what is already set up, so that it can be stopped and continued
 * at any point.
 */
import type { SetupStep, SetupTryView, SetupView } from "@pincer/sdk";
import type { Command } from "commander";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { createLiveAnswer } from "../live-answer.ts";
import { plainText } from "../plain-text.ts";
import { openQuestions } from "../questions.ts";
import { turnRequest } from "../turn-options.ts";
import type { ConnectedChannel } from "./channels-add.ts";
import { setUpChannel } from "./onboard-channel.ts";
import { setUpModel } from "./onboard-model.ts";
import { atSetup, during, tell, tellGood, type Onboarding } from "./onboarding.ts";
import { setUpService, type ServiceOutcome } from "./onboard-service.ts";
import type { OnboardOptions } from "./onboard-answers.ts";

export type Part = SetupStep | "access";

interface Place {
  program: Command;
  context: CommandContext;
}

interface Done {
  model?: SetupTryView | undefined;
  name?: string | undefined;
  channel?: Omit<ConnectedChannel, "where"> | undefined;
  service?: ServiceOutcome | undefined;
}

/** Answers with the exit status. */
export async function runOnboard(place: Place, options: OnboardOptions): Promise<number> {
  const onboarding = await openOnboarding(place, options);
  const { ask } = onboarding;
  const { say, terminal } = place.context;
  ask?.begin(say("onboard.welcome"));
  try {
    const done: Done = {};
    for (const step of ["model", "assistant", "channel", "service"] as const)
      await takeStep(onboarding, step, done);
    const answer = await firstWords(onboarding);
    await atSetup(onboarding, (api) => api.done({}));
    const status = await look(onboarding, false);
    const link = await pageLines(onboarding, status);
    if (options.json) {
      printJson(terminal, { status, ...done, answer: answer?.text ?? null });
      return answer?.ok === false ? 1 : 0;
    }
    const running = status.address !== null || status.service.running;
    const next = say(running ? "onboard.next" : "onboard.next.start");
    tell(onboarding, next);
    // On a line of its own, so that it can be copied whole.
    for (const line of link) terminal.err(`${plainText(line)}\n`);
    ask?.end(say("onboard.end"));
    return answer?.ok === false ? 1 : 0;
  } catch (error) {
    if (ask && isStopped(error, place.context.signal)) terminal.err(`${say("onboard.stopped")}\n`);
    throw error;
  }
}

/** One part, whatever is there already. */
export async function runConfigure(
  place: Place,
  named: Part | undefined,
  options: OnboardOptions,
): Promise<number> {
  const onboarding = await openOnboarding(place, options);
  const { say, terminal } = place.context;
  const part = named ?? (await choosePart(onboarding));
  if (part === "access") return configureAccess(onboarding);
  const done: Done = {};
  const status = await look(onboarding, false);
  await doStep(onboarding, part, status, done);
  if (options.json) printJson(terminal, { status: await look(onboarding, false), ...done });
  else onboarding.ask?.end(say("configure.end"));
  return 0;
}

async function openOnboarding(place: Place, options: OnboardOptions): Promise<Onboarding> {
  const isSilent = options.yes === true || options.json === true;
  return { place, options, ask: isSilent ? undefined : await openQuestions(place.context) };
}

async function choosePart({ ask, place }: Onboarding): Promise<Part> {
  const { say } = place.context;
  const parts: Part[] = ["model", "assistant", "channel", "service", "access"];
  if (!ask) throw failure("usage/bad-argument", "configure.which", { parts: parts.join(", ") });
  return ask.choose(
    say("configure.choose"),
    parts.map((value) => ({ value, label: say(`configure.${value}`) })),
  );
}

const look = (onboarding: Onboarding, probe: boolean): Promise<SetupView> =>
  atSetup(onboarding, (api, language) =>
    api.status({ ...(probe ? { probe } : {}), ...language }, { signal: onboarding.place.context.signal }),
  );

/** Only where something is left to do, or the flags say something about it. */
async function takeStep(onboarding: Onboarding, step: SetupStep, done: Done): Promise<void> {
  const { options, place } = onboarding;
  const { say } = place.context;
  if (options.skip?.includes(step)) return void (await atSetup(onboarding, (api) => api.done({ step })));
  const asks = step === "model" && !saysOf.model(options);
  const status = asks
    ? await during(onboarding, say("onboard.asking"), () => look(onboarding, true))
    : await look(onboarding, false);
  const found = status.steps.find((each) => each.step === step);
  if (!found) return;
  if (found.state === "done" && !saysOf[step](options)) return tellGood(onboarding, found.note);
  if (found.state === "left-out" && !saysOf[step](options)) return;
  if (found.state === "failing") {
    const { problem } = status.model;
    const lines = step === "model" && problem ? [problem.message, problem.next] : [found.note];
    tell(onboarding, lines.join("\n"));
  }
  await doStep(onboarding, step, status, done);
}

/** Whether the flags have something for the step. */
const saysOf: Record<SetupStep, (options: OnboardOptions) => boolean> = {
  model: ({ take, provider, model, baseUrl, keyStdin, keyEnv }) =>
    [take, provider, model, baseUrl, keyStdin, keyEnv].some((each) => each !== undefined),
  assistant: ({ name, user }) => name !== undefined || user !== undefined,
  channel: ({ channel, tokenStdin, tokenEnv }) =>
    [channel, tokenStdin, tokenEnv].some((each) => each !== undefined),
  service: ({ service, background }) => service !== undefined || background !== undefined,
};

async function doStep(onboarding: Onboarding, step: SetupStep, status: SetupView, done: Done): Promise<void> {
  const putOff = async (isDone: boolean) => {
    // After a no the step is not offered again; `configure` remains.
    if (!isDone && onboarding.ask) await atSetup(onboarding, (api) => api.done({ step }));
  };
  if (step === "model") done.model = await setUpModel(onboarding);
  else if (step === "assistant") done.name = await nameAssistant(onboarding, status);
  else if (step === "channel") {
    const { where: _where, ...connected } = (await setUpChannel(onboarding)) ?? {};
    done.channel = "channel" in connected ? (connected as Done["channel"]) : undefined;
    await putOff(done.channel !== undefined);
  } else {
    done.service = await setUpService(onboarding, status.service.running);
    await putOff(done.service === "installed");
  }
}

async function nameAssistant(onboarding: Onboarding, { assistant }: SetupView): Promise<string | undefined> {
  const { ask, options, place } = onboarding;
  const { say } = place.context;
  const name = options.name ?? (await ask?.write(say("onboard.enter-name"), assistant.name ?? "Pincer"));
  if (name === undefined) return undefined;
  const user = options.user ?? (await ask?.write(say("onboard.enter-user"), assistant.user ?? "-"));
  const known = user === undefined || user === "-" ? {} : { user };
  await atSetup(onboarding, (api, language) => api.name({ name, ...known, ...language }));
  tellGood(onboarding, say("setup.assistant.is", { name }));
  return name;
}

/** A real turn, through the gateway where one runs: the words that come back are the proof. */
async function firstWords(onboarding: Onboarding): Promise<{ ok: boolean; text: string } | undefined> {
  const { ask, options, place } = onboarding;
  const { context, program } = place;
  const { say, terminal, signal } = context;
  if (options.message === false) return undefined;
  const usual = say("onboard.first-words");
  const input = options.message ?? (ask ? await ask.write(say("onboard.enter-words"), usual) : usual);
  const { openApp } = await import("../../app/open-app.ts");
  const app = await openApp({ ...context, version: program.version() ?? "" }, {});
  const live = createLiveAnswer(context, {
    streams: terminal.outIsTerminal && !options.json,
    tellsTools: true,
  });
  try {
    const request = turnRequest({ withTools: true });
    request.wishes.attended = "once";
    const { onEvent, onWait } = live;
    const answer = await app.ask({ ...request, input, typed: true, signal, onEvent, onWait });
    if (!options.json) live.end(answer, "by-outcome");
    return { ok: answer.error === undefined, text: answer.result };
  } finally {
    live.close();
    await app.close();
  }
}

/** Where the page is, with a link that signs in once; nothing where no gateway runs, and none in a document that may be kept. */
async function pageLines({ place, options }: Onboarding, { address }: SetupView): Promise<string[]> {
  if (address === null || options.json) return [];
  const { say } = place.context;
  const link = await signInLink(place);
  return link === undefined ? [say("onboard.page", { address })] : [say("onboard.page.link"), link];
}

async function signInLink(place: Place): Promise<string | undefined> {
  const { withApi } = await import("./with-api.ts");
  return withApi("access", place, ({ api }) => api.createCode({})).then(
    ({ link }) => link ?? undefined,
    () => undefined,
  );
}

async function configureAccess({ place, options }: Onboarding): Promise<number> {
  const { say, terminal } = place.context;
  const link = await signInLink(place);
  if (link === undefined)
    throw failure("gateway/stopped", "configure.access.none", {}, { hint: "configure.access.none.hint" });
  if (options.json) printJson(terminal, { link });
  else terminal.err(`${say("onboard.page.link")}\n${plainText(link)}\n${say("configure.access.more")}\n`);
  return 0;
}

const isStopped = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || (error instanceof Error && error.name === "AbortError");
