import type { UnconfirmedLineView } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import { noSuchLine } from "../memory/unconfirmed-lines.ts";
import type { CommandCall } from "./command.ts";
import { memoryCommands } from "./memory-commands.ts";

const line = (ref: string, text = `fact ${ref}`): UnconfirmedLineView => ({
  ref,
  path: "MEMORY.md",
  line: 2,
  text,
  label: "unconfirmed, from web a.org",
});

function stage(waiting: UnconfirmedLineView[], peerKind: "user" | "group" = "user") {
  const done: string[] = [];
  const settle = (verb: string) => async (agentId: string, ref: string) => {
    const found = waiting.find((each) => each.ref === ref);
    if (!found) throw noSuchLine(ref);
    done.push(`${agentId} ${verb} ${ref}`);
    return found;
  };
  const unconfirmed = { list: async () => waiting, confirm: settle("confirm"), drop: settle("drop") };
  async function run(name: string, words = ""): Promise<string> {
    const context = {
      person: { role: "owner" },
      session: { agentId: "main" },
      destination: { channel: "telegram", accountId: "a", target: { peerKind, peerId: "1" } },
    } as unknown as CommandCall["context"];
    const command = memoryCommands.find((each) => each.name === name);
    const result = await command?.run({ say: createSay("en"), unconfirmed }, { prefix: "/", words, context });
    return result?.output ?? "no such command";
  }
  return { run, done };
}

describe("the owner's word on what was learnt from others", () => {
  it("SEC-02 keeps a line or deletes it, and says which", async () => {
    const { run, done } = stage([line("0a1b2c3d"), line("4e5f6a7b")]);
    expect(await run("remember", " 0a1b2c3d ")).toBe("Remembered: fact 0a1b2c3d");
    expect(await run("forget", "4e5f6a7b")).toBe("Forgotten: fact 4e5f6a7b");
    expect(done).toEqual(["main confirm 0a1b2c3d", "main drop 4e5f6a7b"]);
    expect(await run("remember", "ffffffff")).toBe("No unconfirmed line of memory has the ref ffffffff.");
  });

  it("SEC-02 shows what waits, each on one line, and not in a group", async () => {
    const { run } = stage(Array.from({ length: 12 }, (_, at) => line(`${at}`, `fact\n${at}`)));
    const shown = (await run("remember")).split("\n");
    expect(shown[0]).toBe("0 [unconfirmed, from web a.org] fact 0");
    expect(shown.slice(10)).toEqual([
      "… and 2 more",
      "/remember <ref> keeps a line, /forget <ref> deletes it.",
    ]);
    expect(await stage([]).run("forget")).toBe("No line waits for confirmation.");
    expect(await stage([line("0a1b2c3d")], "group").run("remember")).toMatch(/in your own chat/);
  });

  it("SEC-02 says in a group which line it was, and not what it says", async () => {
    const { run, done } = stage([line("0a1b2c3d"), line("4e5f6a7b")], "group");
    expect(await run("remember", "0a1b2c3d")).toBe("Remembered: 0a1b2c3d");
    expect(await run("forget", "4e5f6a7b")).toBe("Forgotten: 4e5f6a7b");
    expect(done).toHaveLength(2);
  });

  it("SEC-02 is the owner's alone", () => {
    expect(memoryCommands.map(({ access }) => access)).toEqual(["owner", "owner"]);
  });
});
