import { describe, expect, it } from "vitest";
import { formatPath, withPath } from "@pincer/sdk";
import { configFileSchema } from "../../../../src/config/schema.ts";
import { parsePath } from "../../../../src/config/parse-path.ts";
import { change, forget, holdsMask, noChanges, withDraft, type Draft } from "./config-draft.ts";
import { fieldAt, formOf, keysOf, searchKeys } from "./form-model.ts";
import { readField, showField } from "./read-field.ts";

const schema = configFileSchema();
const form = formOf(schema);

interface Node {
  type?: string;
  properties?: Record<string, Node>;
  patternProperties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  enum?: unknown[];
}

/** Every key of the schema, with made-up names where names are. */
function everyKey(node: Node, path: Array<string | number>): Array<Array<string | number>> {
  const deeper = [
    ...Object.entries(node.properties ?? {}).flatMap(([name, each]) => everyKey(each, [...path, name])),
    ...Object.values(node.patternProperties ?? {}).flatMap((each) => everyKey(each, [...path, "some name"])),
    ...(node.items?.properties ? everyKey(node.items, [...path, 0]) : []),
  ];
  return [path, ...deeper];
}

describe("the form of the whole config", () => {
  it("UI-01 has a field for every key, or one of JSON above it", () => {
    const keys = everyKey(schema as Node, []).slice(1);
    expect(keys.length).toBeGreaterThan(900);
    const lost = keys.filter((path) => {
      const above = path.map((_, index) => fieldAt(form, path.slice(0, index + 1)));
      return above.at(-1) === undefined && !above.some((field) => field?.kind === "json");
    });
    expect(lost.map(formatPath)).toEqual([]);
  });

  it("edits as JSON only what has no shape of its own", () => {
    const asJson = keysOf(form).filter(({ path }) => {
      const segments = path
        .replaceAll("[]", ".0")
        .split(".")
        .map((each) => (each === "0" ? 0 : each));
      return fieldAt(form, segments)?.kind === "json";
    });
    expect(asJson.map(({ path }) => path)).toEqual([
      "models.providers.*.models[].compat",
      "agents.list[].model",
      "channels.*.accounts.*",
    ]);
  });

  it("knows secrets, choices, bounds and defaults, and every field says what it is for", () => {
    expect(fieldAt(form, ["gateway", "auth", "token"])).toMatchObject({ kind: "text", isSecret: true });
    expect(fieldAt(form, ["gateway", "port"])).toMatchObject({
      kind: "number",
      isWhole: true,
      maximum: 65535,
    });
    expect(fieldAt(form, ["language"])).toMatchObject({
      kind: "choice",
      options: ["auto", "en", "zh"],
      default: "auto",
    });
    expect(fieldAt(form, ["tools", "deny"])).toMatchObject({ kind: "list", item: "text" });
    expect(fieldAt(form, ["channels", "x", "allowFrom"])).toMatchObject({ kind: "list", item: "mixed" });
    expect(fieldAt(form, ["bindings"])).toMatchObject({ kind: "records" });
    const silent = keysOf(form).filter(
      ({ path, description }) => description === "" && !path.endsWith("]") && !path.endsWith("*"),
    );
    expect(silent).toEqual([]);
  });

  it("finds a key by its path and by what is said about it", () => {
    const keys = keysOf(form);
    expect(searchKeys(keys, "gateway port")[0]?.path).toBe("gateway.port");
    expect(searchKeys(keys, "botfather token").length + searchKeys(keys, "bot token").length).toBeGreaterThan(
      0,
    );
    expect(searchKeys(keys, " ")).toEqual([]);
  });

  it("writes paths as the gateway reads them", () => {
    for (const path of everyKey(schema as Node, []).slice(1, 400))
      expect(parsePath(formatPath(path))).toEqual(path);
  });
});

describe("what is typed", () => {
  const field = (...path: Array<string | number>) => {
    const found = fieldAt(form, path);
    if (!found) throw new Error(`no field at ${formatPath(path)}`);
    return found;
  };

  it("becomes what the config wants, and comes back as it is shown", () => {
    expect(readField(field("gateway", "port"), " 8080 ")).toEqual({ ok: true, value: 8080 });
    expect(readField(field("gateway", "port"), "")).toEqual({ ok: true, value: undefined });
    expect(readField(field("gateway", "port"), "80.5")).toEqual({ ok: false, key: "config.bad.number" });
    expect(readField(field("tools", "deny"), "exec\n\n web_fetch ")).toEqual({
      ok: true,
      value: ["exec", "web_fetch"],
    });
    expect(readField(field("channels", "x", "allowFrom"), "42\nada")).toEqual({
      ok: true,
      value: [42, "ada"],
    });
    expect(readField(field("agents", "list", 0, "model"), '{"primary":"a/b"}')).toEqual({
      ok: true,
      value: { primary: "a/b" },
    });
    expect(readField(field("agents", "list", 0, "model"), "{")).toEqual({
      ok: false,
      key: "config.bad.json",
    });
    expect(showField(field("tools", "deny"), ["a", "b"])).toBe("a\nb");
    expect(showField(field("gateway", "port"), undefined)).toBe("");
  });
});

describe("a draft", () => {
  const stored = {
    gateway: { port: 1, auth: { token: "***" } },
    agents: { list: [{ id: "main", name: "Ada" }] },
    contacts: { bob: ["irc:bob"] },
  };
  const edit = (draft: Draft, path: Array<string | number>, value: unknown) =>
    change({ form, stored, draft }, path, value);
  const paths = (draft: Draft) => [...draft.keys()];

  it("changes one key, and nothing when it is put back", () => {
    const draft = edit(noChanges, ["gateway", "port"], 2);
    expect(withDraft(stored, draft)).toMatchObject({ gateway: { port: 2, auth: { token: "***" } } });
    expect(paths(draft)).toEqual(["gateway.port"]);
    expect(paths(edit(draft, ["gateway", "port"], 1))).toEqual([]);
  });

  it("keeps together what only makes sense together", () => {
    let draft = edit(noChanges, ["gateway", "auth", "jwt", "issuer"], "https://id.example");
    draft = edit(draft, ["gateway", "auth", "jwt", "audience"], "pincer");
    expect([...draft.values()]).toEqual([
      { path: ["gateway", "auth", "jwt"], value: { issuer: "https://id.example", audience: "pincer" } },
    ]);
    draft = edit(noChanges, ["auth", "profiles", "work", "provider"], "acme");
    draft = edit(draft, ["auth", "profiles", "work", "mode"], "token");
    expect(paths(draft)).toEqual(["auth.profiles.work"]);
    draft = edit(noChanges, ["bindings", 0, "match", "channel"], "irc");
    expect([...draft.values()]).toEqual([{ path: ["bindings"], value: [{ match: { channel: "irc" } }] }]);
  });

  it("changes an item of a list that is there in its place, so that masked secrets beside it stay", () => {
    expect(paths(edit(noChanges, ["agents", "list", 0, "name"], "Bea"))).toEqual(["agents.list[0].name"]);
    expect(holdsMask({ a: [{ b: "***" }] })).toBe(true);
    expect(holdsMask({ a: ["**"] })).toBe(false);
  });

  it("takes out what is in the file, and only that", () => {
    expect([...forget({ stored, draft: noChanges }, ["gateway", "port"]).values()]).toEqual([
      { path: ["gateway", "port"], value: undefined },
    ]);
    expect(
      paths(forget({ stored, draft: edit(noChanges, ["gateway", "host"], "x") }, ["gateway", "host"])),
    ).toEqual([]);
    expect(withPath(stored, ["contacts", "bob"], undefined)).toMatchObject({ contacts: {} });
  });
});
