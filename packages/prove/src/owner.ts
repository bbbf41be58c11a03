/** What the owner of a home does about trouble: the product's own commands, as anybody types them. */
import { spawn } from "node:child_process";
import { createSay } from "../../../src/infra/texts.ts";
import { environmentFor, type Program } from "./child-process.ts";

export interface HeldLetter {
  id: string;
  /** What was asked. */
  texts: string[];
}

/** Every verb throws what the command said when it did not do its work. */
export interface Owner {
  /** `doctor --repair`: answers whether it said that something is lost. */
  repair(): Promise<{ saysLost: boolean }>;
  /** `doctor --confirm`. */
  confirm(): Promise<void>;
  /** Beside a running gateway, or without one. */
  backUp(directory: string): Promise<void>;
  restore(directory: string): Promise<void>;
  /** The turns and messages that are held. */
  listHeld(): Promise<HeldLetter[]>;
  settleHeld(how: "retry" | "drop"): Promise<void>;
  /** Drops replies that were given up or held. */
  dropFailedReplies(): Promise<void>;
  /** The kinds of the notices that are open. */
  listNotices(): Promise<string[]>;
}

/** Longer than any of them takes on a busy machine. */
const longestMs = 60_000;

export function createOwner({
  program,
  home,
  signal,
}: {
  program: Program;
  home: string;
  signal: AbortSignal;
}): Owner {
  function run(...args: string[]): Promise<{ status: number | null; out: string; err: string }> {
    const child = spawn(program.command, [...program.args, ...args], {
      cwd: home,
      env: environmentFor(program.environment, home),
      stdio: ["ignore", "pipe", "pipe"],
      signal,
      timeout: longestMs,
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status) => resolve({ status, out, err }));
    });
  }

  async function require(...args: string[]): Promise<string> {
    const { status, out, err } = await run(...args);
    if (status !== 0) throw new OwnerError(args, `${err}${out}`);
    return out;
  }

  async function read<Answer>(...args: string[]): Promise<Answer> {
    return JSON.parse(await require(...args, "--json")) as Answer;
  }

  const listHeld = async (): Promise<HeldLetter[]> => {
    const { letters } = await read<{ letters: Array<HeldLetter & { isHeld?: true }> }>("deadletters", "list");
    return letters.filter(({ isHeld }) => isHeld);
  };

  return {
    async repair() {
      // Its status says whether anything is wrong with the home: this one has no model, for instance.
      const { out, err } = await run("doctor", "--repair", "--yes", "--json");
      if (!out.startsWith("{")) throw new OwnerError(["doctor", "--repair"], err);
      const { fixed, notFixed } = JSON.parse(out) as DoctorAnswer;
      const failed = notFixed.find(({ id }) => id === "database");
      if (failed) throw new OwnerError(["doctor", "--repair"], failed.why);
      return { saysLost: fixed.some(({ id, what }) => id === "database" && tellsLoss(what)) };
    },
    confirm: async () => void (await require("doctor", "--confirm", "--yes")),
    backUp: async (directory) => void (await require("backup", "create", directory)),
    restore: async (directory) => void (await require("backup", "restore", directory, "--yes")),
    listHeld,
    settleHeld: async (how) =>
      void (await require("deadletters", how, "held", ...(how === "drop" ? ["--yes"] : []))),
    async dropFailedReplies() {
      const { messages } = await read<{ messages: Array<{ id: string; state: string }> }>("outbox", "list");
      for (const { id, state } of messages)
        if (state === "failed") await require("outbox", "drop", id, "--yes");
    },
    async listNotices() {
      const { notices } = await read<{ notices: Array<{ kind: string }> }>("notices", "list");
      return notices.map(({ kind }) => kind);
    },
  };
}

interface DoctorAnswer {
  fixed: Array<{ id: string; what: string }>;
  notFixed: Array<{ id: string; why: string }>;
}

export class OwnerError extends Error {
  constructor(args: readonly string[], words: string) {
    super(`pincer ${args.join(" ")} failed: ${words.trim().split("\n").slice(-4).join(" | ")}`);
  }
}

const say = createSay("en");
const [lostBefore = ""] = say("doctor.database.lost", { lost: "…" }).split("…");
const lostNothing = say("doctor.database.lost", { lost: say("doctor.database.lost-none") });

/** Whether a line of the repair says that rows are gone. */
const tellsLoss = (what: string): boolean =>
  what === say("doctor.database.made") || (what.startsWith(lostBefore) && what !== lostNothing);
