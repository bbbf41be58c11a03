import { describe, expect, it } from "vitest";
import { accountName, enabledPath, offerTo, readEntered, splitLinks, toneOf } from "./channel-facts.ts";

const key = (name: string, type: "text" | "number" | "yes-no" | "list", required = false) => ({
  name,
  type,
  required,
  description: "",
  secret: false,
});
const kind = {
  channel: "irc",
  steps: [],
  canTest: true,
  keys: [key("host", "text", true), key("port", "number"), key("tls", "yes-no"), key("rooms", "list")],
};

describe("how an account is", () => {
  it("UI-01 is green only where it was proven, and off is not red", () => {
    expect(toneOf({ enabled: true, health: "green" })).toEqual({ tone: "good", word: "green" });
    expect(toneOf({ enabled: true, health: "yellow" }).tone).toBe("warn");
    expect(toneOf({ enabled: true, health: "red" }).tone).toBe("bad");
    expect(toneOf({ enabled: true, health: undefined })).toEqual({ tone: "", word: "unknown" });
    expect(toneOf({ enabled: false, health: "red" })).toEqual({ tone: "", word: "off" });
  });

  it("is switched where the config has it", () => {
    const channels = { telegram: { accounts: { work: {}, "a.b": {} } }, irc: {} };
    const path = (channel: string, accountId: string) => enabledPath(channels, { channel, accountId });
    expect(path("irc", "default")).toBe("channels.irc.enabled");
    expect(path("telegram", "work")).toBe("channels.telegram.accounts.work.enabled");
    expect(path("telegram", "a.b")).toBe('channels.telegram.accounts["a.b"].enabled');
    expect(accountName({ channel: "irc", accountId: "default" })).toBe("irc");
  });
});

describe("a network that somebody wants to connect", () => {
  const name = "Network";
  const forOwner = true as const;
  const names = ({ keys }: { keys: Array<{ name: string }> }) => keys.map((each) => each.name);

  it("UI-01 is asked of the owner with all its keys", () => {
    const whole = { ...kind, name, keys: kind.keys.map((each) => ({ ...each, forOwner })) };
    expect(offerTo("owner", whole)).toEqual({ kind: whole, needed: [], withheld: [] });
  });

  it("UI-01 is asked of others without the owner's keys, and not at all where it cannot be without them", () => {
    const [host, port, ...rest] = kind.keys;
    if (!host || !port) throw new Error("no keys");
    const some = offerTo("admin", { ...kind, name, keys: [host, { ...port, forOwner }, ...rest] });
    expect(some).toMatchObject({ needed: [], withheld: ["port"] });
    expect(names(some.kind)).toEqual(["host", "tls", "rooms"]);
    const none = offerTo("admin", { ...kind, name, keys: [{ ...host, forOwner }, port, ...rest] });
    expect(none).toMatchObject({ needed: ["host"], withheld: [] });
  });
});

describe("what is entered for a new account", () => {
  it("becomes what its keys want, without what was left empty", () => {
    expect(readEntered(kind, { host: " irc.example ", port: "6697", tls: "true", rooms: "#a, #b," })).toEqual(
      {
        type: "whole",
        keys: { host: "irc.example", port: 6697, tls: true, rooms: ["#a", "#b"] },
      },
    );
    expect(readEntered(kind, { host: "x", port: "" })).toEqual({ type: "whole", keys: { host: "x" } });
  });

  it("is sent back where something is missing or no number", () => {
    expect(readEntered(kind, { host: " " })).toEqual({ type: "missing", names: ["host"] });
    expect(readEntered(kind, { host: "x", port: "many" })).toEqual({ type: "bad-number", name: "port" });
  });
});

it("makes links of addresses over TLS and of nothing else", () => {
  expect(splitLinks("Write to https://t.me/BotFather. Or javascript:alert(1)")).toEqual([
    { text: "Write to " },
    { text: "https://t.me/BotFather", href: "https://t.me/BotFather" },
    { text: ". Or javascript:alert(1)" },
  ]);
});
