import { expect, it } from "vitest";
import { draft } from "../../storage/testing/message-samples.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import * as outbox from "./outbox.ts";

const failed = (home: CommandHome, text: string) =>
  home.fill(async (stores) => {
    const [row] = await stores.outbox.enqueue([draft(text)]);
    const id = row?.id ?? "";
    await stores.outbox.beginSend(id);
    await stores.outbox.fail(id, { code: "rejected", message: "no such chat" }, { drafts: [] });
    return id;
  });

it("lists what could not be sent, and shows one whole", async () => {
  const home = await createCommandHome();
  expect((await home.run(outbox, "outbox", "list")).err).toContain("No message waits");
  const id = await failed(home, "first line\nsecond \u001b line");
  const listed = await home.run(outbox, "outbox", "list");
  expect(listed.out).toContain(id);
  expect(listed.out).toContain("telegram:42 (bot)");
  expect(listed.out).toContain("first line…  [rejected]");
  const shown = await home.run(outbox, "outbox", "show", id);
  expect(shown.out).toContain("rejected: no such chat");
  expect(shown.out).toContain("second ␛ line");
  expect((await home.run(outbox, "outbox", "show", id, "--json")).json()).toMatchObject({
    message: { id, state: "failed" },
  });
});

it("pages through a long list", async () => {
  const home = await createCommandHome();
  await home.fill((stores) => stores.outbox.enqueue([draft("one"), draft("two"), draft("three")]));
  const first = await home.run(outbox, "outbox", "list", "--limit", "2");
  const [, before = ""] = /--before (\d+)/.exec(first.err) ?? [];
  const rest = await home.run(outbox, "outbox", "list", "--limit", "2", "--before", before);
  expect(rest.out).toContain("one");
  expect(rest.out).not.toContain("two");
});

it("tries one again, and says that it waits for a gateway where none runs", async () => {
  const home = await createCommandHome();
  const id = await failed(home, "hello");
  expect((await home.run(outbox, "outbox", "retry", id)).err).toContain("No gateway is running");
  const { changes } = await home.startGateway();
  const beside = await home.run(outbox, "outbox", "retry", id);
  expect(beside.err).not.toContain("No gateway is running");
  expect(changes.outbox).toMatchObject([{ id, state: "queued" }]);
  const unknown = await home.run(outbox, "outbox", "retry", "o_none", "--json");
  expect(unknown.status).toBe(1);
  expect(unknown.json()).toMatchObject({ error: { code: "message/not-found" } });
});

it("drops nothing without a yes", async () => {
  const home = await createCommandHome();
  const [row] = await home.fill((stores) => stores.outbox.enqueue([draft("hello")]));
  const id = row?.id ?? "";
  const unasked = await home.run(outbox, "outbox", "drop", id);
  expect(unasked).toMatchObject({ status: 2, out: "" });
  expect(unasked.err).toContain("--yes");
  expect((await home.run(outbox, "outbox", "list")).out).toContain(id);
  const terminal = createFakeTerminal({ stdin: "n\n", errIsTerminal: true });
  Object.assign(terminal.stdin, { isTTY: true });
  const refused = await home.runAt(terminal, outbox, "outbox", "drop", id);
  expect(refused.status).toBe(1);
  expect((await home.run(outbox, "outbox", "drop", id, "--yes", "--json")).json()).toEqual({ dropped: id });
  expect((await home.run(outbox, "outbox", "list")).out).toBe("");
  expect((await home.run(outbox, "outbox", "list", "--all")).out).toContain("dropped");
  expect((await home.runInChinese(outbox, "outbox", "drop", id, "--yes")).err).toContain("未作任何更改");
});
