/**
 * Publishes the gateway through Tailscale: to the owner's devices (serve), or to everybody (funnel). Both forward
 * requests as if they came from this machine, so neither is used if local callers are admitted without sign-in.
 * Existing Tailscale settings stay.
 */
import { failure } from "../../infra/failure.ts";
import type { RunTool } from "./run-tool.ts";

export interface Carried {
  /** https://host.tailnet.ts.net */
  address: string;
  host: string;
  /** Throws PincerError when it could not be taken back. Safe to call twice. */
  undo(): Promise<void>;
}

const carriedPort = 443;

/** Throws PincerError that says what to do. */
export async function carryByTailscale({
  mode,
  port,
  authentication,
  run,
}: {
  mode: "serve" | "funnel";
  port: number;
  authentication: "token" | "password" | "none";
  run: RunTool;
}): Promise<Carried> {
  if (authentication === "none") {
    throw failure(
      "config/bad-value",
      "reach.tailscale.open",
      { mode },
      { hint: "reach.tailscale.open.hint" },
    );
  }
  const host = hostOf(await ask(run, ["status", "--json"]));
  const target = `http://127.0.0.1:${port}`;
  const others = carriedNow(await ask(run, ["serve", "status", "--json"])).filter((each) => each !== target);
  if (others.length > 0) throw refused(`port ${carriedPort} leads to ${others.join(", ")} already`);
  await ask(run, [mode, "--bg", `--https=${carriedPort}`, target]);
  let isUndone = false;
  return {
    address: `https://${host}`,
    host,
    async undo() {
      if (isUndone) return;
      isUndone = true;
      await ask(run, [mode, `--https=${carriedPort}`, "off"]);
    },
  };
}

export interface TailscaleLook {
  /** unclear: it did not answer in a way that can be understood. */
  state: "missing" | "down" | "running" | "unclear";
  name: string | null;
  carries: "here" | "nothing" | "elsewhere" | null;
}

/** How Tailscale is on this machine. Changes nothing; never throws. */
export async function lookAtTailscale({ run, port }: { run: RunTool; port: number }): Promise<TailscaleLook> {
  const outcome = await run("tailscale", ["status", "--json"]);
  if (outcome.type === "missing") return { state: "missing", name: null, carries: null };
  const unclear = { state: "unclear", name: null, carries: null } as const;
  if (outcome.type === "too-slow") return unclear;
  try {
    // One that is logged out says so in its status, and may end with another one than zero.
    if (readJson(outcome.out)["BackendState"] !== "Running") return { ...unclear, state: "down" };
    const name = hostOf(outcome.out);
    const places = carriedNow(await ask(run, ["serve", "status", "--json"]));
    const isHere = places.includes(`http://127.0.0.1:${port}`);
    return { state: "running", name, carries: isHere ? "here" : places.length > 0 ? "elsewhere" : "nothing" };
  } catch {
    return unclear; // what it says is for those who switch it on, with the reason
  }
}

/** What it prints. */
async function ask(run: RunTool, args: readonly string[]): Promise<string> {
  const outcome = await run("tailscale", args);
  if (outcome.type === "missing") {
    throw failure(
      "gateway/unreachable",
      "reach.tailscale.missing",
      {},
      { hint: "reach.tailscale.missing.hint" },
    );
  }
  if (outcome.type === "too-slow") throw refused("it did not answer in time");
  if (outcome.status !== 0) throw refused(firstLine(outcome.said) || `status ${outcome.status}`);
  return outcome.out;
}

function hostOf(text: string): string {
  const status = readJson(text);
  const state = status["BackendState"];
  if (state !== "Running") {
    const named = { state: typeof state === "string" ? state : "unknown" };
    throw failure("gateway/unreachable", "reach.tailscale.down", named, {
      hint: "reach.tailscale.down.hint",
    });
  }
  const name = recordIn(status, "Self")["DNSName"];
  if (typeof name !== "string" || !/^[a-z0-9][a-z0-9.-]{1,250}$/i.test(name)) {
    throw refused("this machine has no name in the tailnet");
  }
  return name.replace(/\.$/, "");
}

/** Where the port leads now. */
function carriedNow(text: string): string[] {
  const places = Object.entries(recordIn(readJson(text), "Web"));
  return places
    .filter(([place]) => place.endsWith(`:${carriedPort}`))
    .flatMap(([, served]) => Object.values(recordIn(served, "Handlers")))
    .map((handler) =>
      isRecord(handler) && typeof handler["Proxy"] === "string" ? handler["Proxy"] : "something else",
    );
}

function recordIn(value: unknown, name: string): Record<string, unknown> {
  const found = isRecord(value) ? value[name] : undefined;
  return isRecord(found) ? found : {};
}

function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return isRecord(value) ? value : {};
  } catch {
    throw refused("it said something that cannot be understood");
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const refused = (reason: string) =>
  failure(
    "gateway/unreachable",
    "reach.tailscale.refused",
    { reason },
    { hint: "reach.tailscale.refused.hint" },
  );

const firstLine = (text: string): string => (text.trim().split("\n", 1)[0] ?? "").slice(0, 300);
