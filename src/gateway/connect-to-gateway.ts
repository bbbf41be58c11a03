import { readFile } from "node:fs/promises";
import { connectGateway, type GatewayClient } from "../client/gateway-client.ts";
import { locateHome, type Home } from "../config/home.ts";
import type { Config } from "../config/schema.ts";
import { systemClock, type Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import { languageOf } from "../infra/language.ts";
import type { Language } from "../infra/texts/table.ts";

export interface GatewayDoorParts {
  environment: Record<string, string | undefined>;
  /** Told which language the gateway's config wants. */
  speak?: (language: Config["language"]) => void;
  version: string;
  clock?: Clock;
}

/** `connectToGateway`, or what a test puts in its place. */
export type ConnectToGateway = (parts: GatewayDoorParts) => Promise<GatewayClient | undefined>;

const patienceMs = 5000;

const startsWithinMs = 3000;
const pauseMs = 50;

/**
 * The gateway of this home, or undefined when none runs. One that is just starting is waited for a moment, so that nobody opens the
 * database beside it. Throws `gateway/unreachable` also when one runs and its socket is gone; `gateway/protocol`.
 */
export async function connectToGateway(parts: GatewayDoorParts): Promise<GatewayClient | undefined> {
  const { environment, speak, version, clock = systemClock } = parts;
  const home = locateHome(environment);
  for (const until = clock.monotonic() + startsWithinMs; ; await clock.sleep(pauseMs)) {
    const client = await connectGateway({
      socketPath: home.gatewaySocket,
      clientName: "cli",
      version,
      timeoutMs: patienceMs,
    });
    if (client) {
      speak?.(client.about.language);
      return client;
    }
    const pid = await runningGateway(home);
    if (pid === undefined) return undefined;
    if (clock.monotonic() < until) continue;
    const hint = "gateway.no-socket.hint";
    throw failure("gateway/unreachable", "gateway.no-socket", { pid, path: home.gatewaySocket }, { hint });
  }
}

/** The process that holds the home, if any. Looking at the lock itself takes a while, so the cheap signs come first. */
async function runningGateway(home: Home): Promise<number | undefined> {
  const pid = Number((await readFile(home.gatewayPidFile, "utf8").catch(() => "")).trim());
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  const { tryLock } = await import("../config/home-lock.ts");
  const release = await tryLock(home.root, "gateway.lock");
  release?.();
  return release ? undefined : pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** In which language a gateway is asked to say what people read. */
export const languageAt = (
  { about }: Pick<GatewayClient, "about">,
  { environment }: Pick<GatewayDoorParts, "environment">,
): Language => (about.language === "auto" ? languageOf(environment) : about.language);
