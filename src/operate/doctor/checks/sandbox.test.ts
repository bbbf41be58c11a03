import { afterEach, beforeEach, expect, it } from "vitest";
import { fakeMachine } from "../../../sandbox/walls/testing/fake-machine.ts";
import { createTestHome, findingsOf, type TestHome } from "../testing/test-home.ts";
import { checkSandbox } from "./sandbox.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

it("X29 is content where bubblewrap works", async () => {
  const machine = fakeMachine({ programs: { bwrap: 0, perl: 0 } });
  const [finding = ""] = await findingsOf(checkSandbox(home.examined, machine));
  expect(finding).toMatch(/^ok Programs run in bubblewrap 0\.9\.9 \(profile local\)/);
});

it("X29 says that nothing keeps programs in, and what to install", async () => {
  const check = checkSandbox(home.examined, fakeMachine({ programs: {} }));
  const [finding] = await check.check();
  expect(finding?.level).toBe("warning");
  expect(finding?.message).toContain(
    "Neither bubblewrap nor Landlock works here. bubblewrap: not installed.",
  );
  expect(finding?.next).toContain("apt-get install bubblewrap");
});

it("warns where the owner turned the sandbox off", async () => {
  await home.write("config.json5", JSON.stringify({ tools: { exec: { sandbox: "none" } } }));
  const machine = fakeMachine({ programs: { bwrap: 0, perl: 0 } });
  const [finding] = await checkSandbox(home.examined, machine).check();
  expect(finding).toMatchObject({
    level: "warning",
    message: expect.stringContaining("tools.exec.sandbox is none"),
  });
});
