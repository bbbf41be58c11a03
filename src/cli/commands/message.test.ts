import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import * as message from "./message.ts";

async function homeWithChannel() {
  const home = await createCommandHome();
  await mkdir(home.environment["PINCER_HOME"] ?? "", { recursive: true });
  await writeFile(
    join(home.environment["PINCER_HOME"] ?? "", "config.json5"),
    "{ channels: { telegram: { enabled: true } } }",
  );
  return home;
}

const to = ["message", "send", "--to", "telegram:42"];

it("CLI-21 stores a message without a gateway, says that it waits, and is the same under one key", async () => {
  const home = await homeWithChannel();
  const sent = await home.run(message, ...to, "--text", "hello", "--idempotency-key", "k");
  expect(sent).toMatchObject({ status: 0, out: "" });
  expect(sent.err).toContain("telegram/default:42");
  expect(sent.err).toContain("No gateway is running");
  const again = await home.run(message, ...to, "hello", "--idempotency-key", "k", "--json");
  expect(again.json()).toMatchObject({ duplicate: true, state: "queued", delivers: false });
  const rows = await home.fill((stores) => stores.outbox.list({ limit: 9 }));
  expect(rows).toMatchObject([{ text: "hello", state: "queued" }]);
  const waited = await home.run(message, ...to, "other", "--wait");
  expect(waited.status).toBe(1);
  expect(waited.err).toContain("waits in the outbox");
});

it("hands it to a running gateway and waits until it has arrived, or has failed", async () => {
  const home = await homeWithChannel();
  const { changes, openedHome } = await home.startGateway();
  const { outbox } = openedHome.stores;
  const sending = home.run(message, ...to, "hello", "--wait");
  await expect.poll(() => changes.outbox.length).toBe(1);
  const [{ id } = { id: "" }] = changes.outbox;
  await outbox.beginSend(id);
  await outbox.markSent(id, { messageId: "7", version: 1, shownLength: 5 });
  expect(await sending).toMatchObject({ status: 0 });
  const failing = home.run(message, ...to, "hello again", "--wait", "--json");
  await expect.poll(() => changes.outbox.length).toBe(2);
  const second = changes.outbox[1]?.id ?? "";
  await outbox.beginSend(second);
  await outbox.fail(second, { code: "rejected", message: "no such chat" }, { drafts: [] });
  const failed = await failing;
  expect(failed.status).toBe(1);
  expect(failed.json()).toMatchObject({ state: "failed", error: { message: "no such chat" } });
  const late = await home.run(message, ...to, "third", "--wait", "--timeout", "1");
  expect(late.status).toBe(1);
  expect(late.err).toContain("is not delivered yet");
});

it("takes the text from a pipe, and refuses nothing and nobody", async () => {
  const home = await homeWithChannel();
  const terminal = createFakeTerminal({ stdin: "piped\n" });
  expect(await home.runAt(terminal, message, ...to, "--json")).toMatchObject({ status: 0 });
  const rows = await home.fill((stores) => stores.outbox.list({ limit: 9 }));
  expect(rows).toMatchObject([{ text: "piped" }]);
  expect((await home.run(message, ...to, "--text", " ")).status).toBe(2);
  expect((await home.run(message, "message", "send", "hello")).status).toBe(2);
  const nobody = await home.runInChinese(message, "message", "send", "--to", "Bob", "hello");
  expect(nobody.status).toBe(2);
  expect(nobody.err).toContain("不是可以写给的对象");
});
