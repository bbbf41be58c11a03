/** What takes minutes of real time on Telegram: connections that stay open and bring nothing. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTelegramLife, type TelegramLife } from "./telegram-life.ts";

let life: TelegramLife;
beforeEach(async () => {
  life = await createTelegramLife();
});
afterEach(() => life.close());

it("CHAN-19 answers and tells its owner while another program takes what comes in, and is red meanwhile", async () => {
  const { api, home } = life;
  life.configure({ streaming: "off" }, { gateway: { deafSeconds: 5 }, notify: { to: "telegram:42" } });
  const ada = api.people.person(42, "Ada");
  const { promise: held, resolve: go } = Promise.withResolvers<void>();
  life.answerWith(() => ({ text: "Here it is.", until: held }));
  await life.start();
  api.people.dm(ada, { text: "one" });
  await api.until(() => life.model.asked.length === 1);
  const fault = api.faults.begin({ type: "conflict" }, { method: "getUpdates" });
  await pause(20_000);
  go();
  await api.until(() => api.people.seen(42).includes("Here it is."));
  await api.until(() => api.people.seen(42).some((text) => text.includes("has heard nothing")));
  const status = await home.run(["channels", "status", "--json"]);
  expect(JSON.parse(status.out)).toMatchObject({
    channels: [{ state: "connected", health: "red", reason: expect.stringContaining("another program") }],
  });
  fault.end();
  const endedAt = Date.now();
  const isGreen = async () => (await home.run(["channels", "status", "--json"])).out.includes('"green"');
  while (!(await isGreen())) {
    expect(Date.now() - endedAt).toBeLessThan(30_000);
    await pause(500);
  }
}, 200_000);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Status {
  channels: Array<{ health: string; state: string; lastProofAt: string | null }>;
}

it("CHAN-19 is never green while nothing was heard for a minute, and hears again within 30 s of the end of the fault", async () => {
  const { api, home } = life;
  life.configure({ streaming: "off" });
  await life.start();
  const ada = api.people.person(42, "Ada");
  const look = async () => {
    const { channels } = JSON.parse((await home.run(["channels", "status", "--json"])).out) as Status;
    const [{ health, lastProofAt } = { health: "", lastProofAt: null }] = channels;
    const silentMs = lastProofAt === null ? 0 : Date.now() - Date.parse(lastProofAt);
    return { health, silentMs };
  };
  api.people.dm(ada, { text: "one" });
  await api.until(() => api.people.seen(42).length === 1);
  expect((await look()).health).toBe("green");

  for (const type of ["half-open", "stalled-body"] as const) {
    const count = api.people.seen(42).length;
    const fault = api.faults.begin({ type });
    const begunAt = Date.now();
    api.people.dm(ada, { text: `during ${type}` });
    const seen = new Set<string>();
    while (Date.now() - begunAt < 100_000) {
      const { health, silentMs } = await look();
      seen.add(health);
      expect(silentMs > 60_000 && health === "green").toBe(false);
      await pause(2000);
    }
    expect(seen).toContain("red");
    fault.end();
    const endedAt = Date.now();
    // One that was on its way when the fault began may have arrived, and says so.
    const answers = () => api.people.seen(42).map((text) => text.replace("(maybe sent twice) ", ""));
    await api.until(() => answers().includes(`You said: during ${type}`));
    expect(Date.now() - endedAt).toBeLessThan(30_000);
    expect(api.people.seen(42)).toHaveLength(count + 1);
    let after = await look();
    while (after.health !== "green" && Date.now() - endedAt < 30_000) {
      await pause(500);
      after = await look();
    }
    expect(after.health).toBe("green");
  }
}, 600_000);
