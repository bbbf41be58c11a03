/** How the gateway runs: as a system service, in the background until the next restart, or started by hand. */
import { asPincerError } from "@pincer/sdk";
import { failure, sayError } from "../../infra/failure.ts";
import { tell, tellGood, during, type Onboarding } from "./onboarding.ts";

export type ServiceOutcome = "installed" | "background" | "running" | "none";

/** A failed installation leaves nothing behind. Throws the system's error if nobody can be asked what to do then. */
export async function setUpService(onboarding: Onboarding, isRunning: boolean): Promise<ServiceOutcome> {
  const { ask, options, place } = onboarding;
  const { say } = place.context;
  if (options.service === false) return isRunning ? "running" : "none";
  const choice = options.service
    ? "install"
    : options.background
      ? "background"
      : await ask?.choose(
          say("onboard.which-service"),
          [
            {
              value: "install" as const,
              label: say("onboard.service.install"),
              hint: say(isRunning ? "onboard.service.install.takes-over" : "onboard.service.install.hint"),
            },
            ...(isRunning
              ? []
              : [
                  {
                    value: "background" as const,
                    label: say("onboard.service.background"),
                    hint: say("onboard.service.background.hint"),
                  },
                ]),
            { value: "none" as const, label: say(isRunning ? "onboard.service.as-is" : "onboard.way.later") },
          ],
          isRunning ? "none" : "background",
        );
  if (choice === undefined || choice === "none") return isRunning ? "running" : "none";
  try {
    return choice === "install" ? await install(onboarding) : await startBehind(onboarding, isRunning);
  } catch (error) {
    place.context.signal.throwIfAborted();
    if (!ask) throw error;
    const { message, hint } = sayError(asPincerError(error), say);
    ask.bad([message, hint].filter(Boolean).join("\n"));
    if (choice === "background" || isRunning) return isRunning ? "running" : "none";
    if (!(await ask.isWanted(say("onboard.service.rather-background"), true))) return "none";
    return startBehind(onboarding, isRunning);
  }
}

async function install(onboarding: Onboarding): Promise<ServiceOutcome> {
  const { context } = onboarding.place;
  const { say } = context;
  const { installService, linesOfInstalled, uninstallService } = await import("./gateway-service.ts");
  // At a terminal the choice was made with the running one in view.
  const takeOver = {
    version: onboarding.place.program.version() ?? "",
    takeOver: onboarding.ask !== undefined,
  };
  try {
    const installed = await during(onboarding, say("onboard.service.installing"), () =>
      installService(context, [], takeOver),
    );
    const [done = "", ...more] = linesOfInstalled(context, installed);
    tellGood(onboarding, done);
    for (const line of more) tell(onboarding, line);
    return "installed";
  } catch (error) {
    const { code, text } = asPincerError(error);
    if (code !== "gateway/unreachable") throw error;
    // An installed unit that does not run would be misleading.
    await uninstallService(context);
    throw failure(code, "onboard.service.refused", text?.parameters, {
      hint: "onboard.service.refused.hint",
    });
  }
}

async function startBehind(onboarding: Onboarding, isRunning: boolean): Promise<ServiceOutcome> {
  if (isRunning) return "running";
  const { context } = onboarding.place;
  const { say } = context;
  const { startInBackground } = await import("../../operate/service/start-in-background.ts");
  const { notStarted } = await import("./gateway-run.ts");
  const started = await during(onboarding, say("onboard.service.starting"), () =>
    startInBackground(context, []),
  );
  if (started.type === "failed") throw notStarted(context, started);
  const { pid, logPath } = started.record;
  tellGood(onboarding, say("service.started", { pid, log: logPath }));
  return "background";
}
