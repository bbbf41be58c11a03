import type { Destination } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import type { AccessRecord } from "../storage/access/access.ts";
import { mayUse, type CommandContext } from "./command.ts";
import { commandFacts } from "./command-registry.ts";
import { signInCommands, type SignInCommandParts } from "./sign-in-commands.ts";

const browser = (id: string): AccessRecord => ({
  id,
  kind: "browser",
  role: "owner",
  name: "Firefox",
  scope: { type: "tenant" },
  way: "code",
  boundTo: null,
  createdAt: "2026-01-01T12:00:00.000Z",
  createdBy: "owner",
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
});

function open(given: { isOutside?: boolean; isServed?: boolean } = {}) {
  const { isOutside = true, isServed = true } = given;
  const asked: object[] = [];
  let there = [browser("x_1"), browser("x_2")];
  const parts: SignInCommandParts = {
    say: createSay("en"),
    browsers: {
      async makeLink(request) {
        asked.push(request);
        return isServed ? { link: "https://desk.example/#code=abc", code: "abc", isOutside } : undefined;
      },
      list: async () => there,
      async end(id) {
        const ended = there.filter((each) => each.id === id);
        there = there.filter((each) => each.id !== id);
        return ended;
      },
    },
  };
  async function say(name: string, words = "", destination: Destination | null = null) {
    const command = signInCommands.find((each) => each.name === name);
    const context = { person: { role: "owner", id: "telegram:42" }, destination } as CommandContext;
    const result = await command?.run(parts, { prefix: "/", words, context });
    expect(result).toMatchObject({ enterModel: false });
    return result?.output ?? "";
  }
  return { say, asked };
}

describe("signing in from a chat", () => {
  it("UI-01 answers with a link that works once, for the person who asked", async () => {
    const { say, asked } = open();
    const destination = { target: { peerKind: "user" } } as Destination;
    expect(await say("signin", "", destination)).toContain("https://desk.example/#code=abc");
    expect(asked).toEqual([{ by: "chat:telegram:42", isStored: true }]);
    expect(await say("signin")).toContain("once");
    expect(asked.at(-1)).toMatchObject({ isStored: false });
  });

  it("UI-01 answers with the code, too, where no address leads here from elsewhere", async () => {
    expect(await open({ isOutside: false }).say("signin")).toMatch(/ssh tunnel[\s\S]*abc$/);
    expect(await open({ isServed: false }).say("signin")).toContain("No page is served");
  });

  it.each(signInCommands.map((command) => [command.name, command] as const))(
    "/%s is the owner's, where nobody else reads along",
    (_name, command) => {
      expect(mayUse(command, { role: "owner", isGroup: false })).toBe(true);
      expect(mayUse(command, { role: "owner", isGroup: true })).toBe(false);
      expect(mayUse(command, { role: "peer", isGroup: false })).toBe(false);
      expect(mayUse(command, { role: "peer", isGroup: true })).toBe(false);
    },
  );

  it("is not even offered in a group", () => {
    const names = (isGroup: boolean) =>
      commandFacts(createSay("en"), { role: "owner", isGroup }).map(({ name }) => name);
    expect(names(false)).toEqual(expect.arrayContaining(["signin", "browsers"]));
    expect(names(true)).not.toContain("signin");
  });

  it("lists browsers, ends one of them, and all of them", async () => {
    const { say } = open();
    expect(await say("browsers")).toMatch(/x_1 {2}Firefox[\s\S]*x_2 {2}Firefox/);
    expect(await say("browsers", "x_9")).toContain("x_9");
    expect(await say("browsers", "x_1")).toBe("Signed out: 1.");
    expect(await say("browsers")).not.toContain("x_1");
    expect(await say("browsers", "all")).toBe("Signed out: 1.");
    expect(await say("browsers", "all")).toContain("No browser");
    expect(await say("browsers")).toContain("No browser");
  });
});
