import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import * as pairing from "./pairing.ts";

const knock = (home: CommandHome, senderId: string, code: string, name?: string) =>
  home.fill(({ pairing: store }) =>
    store.request(
      { channel: "telegram", accountId: "bot", senderId, meta: name ? { name } : {} },
      { ttlMs: 3_600_000, max: 3 },
      () => code,
    ),
  );

it("CLI-15 lists who waits with their codes and how to let them in, and who is in", async () => {
  const home = await createCommandHome();
  const empty = await home.run(pairing, "pairing", "list");
  expect(empty.out).toContain("Nobody waits");
  await knock(home, "42", "ABCDEFGH", "Ada \u001b[31m");
  const listed = await home.run(pairing, "pairing", "list", "--channel", "telegram", "--account", "bot");
  expect(listed).toMatchObject({ status: 0, err: "" });
  expect(listed.out).toMatch(/ABCD-EFGH {2}telegram {2}bot {2}Ada ␛\[31m \(42\)/);
  expect(listed.out).toContain("pincer pairing approve");
  const asJson = await home.run(pairing, "pairing", "list", "--json");
  expect(asJson.json()).toMatchObject({ pending: [{ senderId: "42", code: "ABCD-EFGH" }], allowed: [] });
  expect((await home.run(pairing, "pairing", "list", "--channel", "feishu")).out).toContain("Nobody waits");
  expect((await home.runInChinese(pairing, "pairing", "list")).out).toContain("等待批准");
});

it("CLI-16 lets one in and says who; an unknown code says so and how to list", async () => {
  const home = await createCommandHome();
  await knock(home, "42", "ABCDEFGH", "Ada");
  const wrong = await home.run(pairing, "pairing", "approve", "2222-2222");
  expect(wrong.status).toBe(1);
  expect(wrong.err).toContain("2222-2222");
  expect(wrong.err).toContain("pincer pairing list");
  const approved = await home.run(pairing, "pairing", "approve", "abcd-efgh");
  expect(approved).toMatchObject({ status: 0, out: "" });
  expect(approved.err).toBe("Ada (42) may now write on telegram (account bot).\n");
  const again = await home.run(pairing, "pairing", "approve", "ABCDEFGH", "--json");
  expect(again.status).toBe(1);
  expect(again.json()).toMatchObject({ error: { code: "pairing/unknown-code" } });
});

it("CLI-16 lets one in through the running gateway, in the reader's language", async () => {
  const home = await createCommandHome();
  await knock(home, "42", "ABCDEFGH");
  const { asked } = await home.startGateway();
  expect((await home.runInChinese(pairing, "pairing", "approve", "2222-2222")).err).toContain(
    "没有人在用配对码",
  );
  const approved = await home.run(pairing, "pairing", "approve", "ABCD-EFGH", "--json");
  expect(approved.json()).toMatchObject({ approved: { senderId: "42" } });
  expect(asked).toEqual(["pairing.approve", "pairing.approve"]);
});

it("CLI-17 takes permission back", async () => {
  const home = await createCommandHome();
  await knock(home, "42", "ABCDEFGH");
  await home.run(pairing, "pairing", "approve", "ABCDEFGH");
  expect((await home.run(pairing, "pairing", "revoke", "42", "--channel", "feishu")).status).toBe(1);
  const revoked = await home.run(pairing, "pairing", "revoke", "42");
  expect(revoked).toMatchObject({ status: 0, err: "42 may no longer write on telegram.\n" });
  expect((await home.run(pairing, "pairing", "revoke", "42")).err).toContain("is not approved");
  expect((await home.run(pairing, "pairing", "revoke")).status).toBe(2);
});

it("CHAN-22 takes files in and writes them out again, for their owner alone", async () => {
  const home = await createCommandHome();
  await writeFile(join(home.root, "feishu-allowFrom.json"), '["ou_1","*"]');
  await writeFile(join(home.root, "feishu-corp-allowFrom.json"), '["ou_2"]');
  await writeFile(join(home.root, "feishu-pairing.json"), '[{"id":"ou_3","code":"ABCDEFGH"}]');
  const files = ["feishu-allowFrom.json", "feishu-corp-allowFrom.json", "feishu-pairing.json"];
  const taken = await home.run(pairing, "pairing", "import", ...files, "--json");
  expect(taken.json()).toEqual({ allowed: 2, pending: 1, full: 0, skipped: ["*"] });
  expect((await home.run(pairing, "pairing", "export", "out")).status).toBe(0);
  expect(JSON.parse(await readFile(join(home.root, "out", "feishu-corp-allowFrom.json"), "utf8"))).toEqual([
    "ou_2",
  ]);
  expect((await stat(join(home.root, "out", "feishu-pairing.json"))).mode & 0o777).toBe(0o600);
  const again = await home.run(pairing, "pairing", "export", "out");
  expect(again.status).toBe(2);
  const gateway = await home.run(pairing, "pairing", "export", "out", "--form", "gateway", "--json");
  expect(gateway.json()).toMatchObject({ files: ["gateway.json"] });
});

it("CHAN-22 takes in nothing when one of the files is wrong", async () => {
  const home = await createCommandHome();
  await writeFile(join(home.root, "feishu-allowFrom.json"), '["ou_1"]');
  await writeFile(join(home.root, "other.json"), "{}");
  const ran = await home.run(pairing, "pairing", "import", "feishu-allowFrom.json", "other.json");
  expect(ran).toMatchObject({ status: 2, out: "" });
  expect((await home.run(pairing, "pairing", "list", "--json")).json()).toMatchObject({ allowed: [] });
  expect((await home.run(pairing, "pairing", "import", "missing.json")).status).toBe(2);
});
