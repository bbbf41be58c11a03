import { openCatalogue } from "../../../models/catalogue/open-catalogue.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import type { Check } from "../check.ts";

export interface HostAnswer {
  reference: string;
  /** Without what some write into an address: names, passwords, keys. */
  origin: string;
  /** The server's time; undefined if it sent none. */
  date: number | undefined;
  /** Why there is no answer; undefined if there is one. */
  problem: string | undefined;
}

/** Undefined where no model over a network is chosen. Never throws. */
export type ProbeHost = () => Promise<HostAnswer | undefined>;

const patienceMs = 4000;

/**
 * Connects to the primary model's host, without a credential or a question: any answer counts. Runs once, however
 * often it is called.
 */
export function createHostProbe(
  { config, home, clock }: ExaminedHome,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): ProbeHost {
  let probed: Promise<HostAnswer | undefined> | undefined;
  return () => (probed ??= probe());

  async function probe(): Promise<HostAnswer | undefined> {
    const { config: loaded } = await config();
    const reference = loaded.agents.defaults.model.primary;
    if (reference === undefined || reference.startsWith("stub")) return undefined;
    const catalogue = openCatalogue({
      homeRoot: home.root,
      config: () => ({ models: { ...loaded.models, discover: false } }),
      onBroken: () => {},
      asker: { fetch, clock },
    });
    const model = await catalogue.find(reference).catch(() => undefined);
    const origin = URL.parse(model?.baseUrl ?? "")?.origin;
    if (origin === undefined) return undefined;
    const signal = AbortSignal.timeout(patienceMs);
    try {
      const response = await fetch(origin, { method: "HEAD", redirect: "manual", signal });
      const date = Date.parse(response.headers.get("date") ?? "");
      return { reference, origin, date: Number.isNaN(date) ? undefined : date, problem: undefined };
    } catch (error) {
      const reason = reasonOf(error);
      // A server is there, but does not speak HTTP.
      const problem = /^(UND_ERR_SOCKET|HPE_)/.test(reason) ? undefined : reason;
      return { reference, origin, date: undefined, problem };
    }
  }
}

/** Whether the server of the model that is asked first can be reached from here. */
export function checkReach({ say }: ExaminedHome, probe: ProbeHost): Check {
  return {
    id: "reach",
    title: say("doctor.reach"),
    async check() {
      const answer = await probe();
      if (!answer) return [{ level: "ok", message: say("doctor.reach.none") }];
      const { reference, origin, problem } = answer;
      if (problem === undefined) return [{ level: "ok", message: say("doctor.reach.ok", { origin }) }];
      const message = say("doctor.reach.dark", { reference, origin, reason: problem });
      return [{ level: "warning", message, next: say("doctor.reach.next", { origin }) }];
    },
  };
}

function reasonOf(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? (name === "TimeoutError" ? `${patienceMs} ms` : message);
}
