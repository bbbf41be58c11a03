/** Coming in and putting out, as people do it: the link, a passkey, asking to be let in, tokens, other browsers. */
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type OpenPage, type Stage } from "./stage.ts";

let stage: Stage;
let base: string;

beforeAll(async () => {
  if (!hasBrowser) return;
  // Wrong tries are counted; these tests make many on purpose.
  stage = await createStage({ config: { gateway: { limits: { signInTries: 60 } } } });
  base = `${await stage.address()}/`;
});

afterAll(() => stage?.close());

/** What a browser says on its console where the gateway says no. */
const refusals = [/status of 4\d\d/];

const linkOf = async (role = "owner"): Promise<string> => {
  const { out } = await stage.home.run(["access", "code", "--role", role, "--json"]);
  return (JSON.parse(out) as { link: string }).link;
};

async function openAccess(opened: OpenPage): Promise<void> {
  await opened.page.goto(`${base}#/access`);
  await opened.page.locator("view-access table").first().waitFor();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.locator("view-sign-in form").first().waitFor();
}

/** A device with a fingerprint reader that always knows its owner. */
async function addAuthenticator({ context, page }: OpenPage): Promise<{ session: CDPSession; id: string }> {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId: id } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, id };
}

async function makePasskey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name of this device").fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("cell", { name, exact: true }).waitFor();
}

const passkeyButton = (page: Page) => page.getByRole("button", { name: "Sign in with a passkey" });

describe.skipIf(!hasBrowser)("coming in", () => {
  it("UI-01 a link works once, is gone from the address bar, and one that was used says what to do", async () => {
    const link = await linkOf();
    const opened = await stage.open({ isStranger: true });
    const { page } = opened;
    await page.goto(link);
    await page.locator(".shell").waitFor();
    expect(page.url()).toBe(base);
    const other = await stage.open({ isStranger: true, size: "phone", theme: "dark" });
    await other.page.goto(link);
    await other.page.getByText("was already used").waitFor();
    expect(other.page.url()).toBe(base);
    await other.page.getByText("pincer access code").waitFor();
    expect(await findBarriers(other.page)).toEqual([]);
    // Where somebody is in already, an old link does no harm.
    await page.goto(link);
    await page.locator(".shell").waitFor();
    expectNoFaults(opened, refusals);
    expectNoFaults(other, refusals);
    await Promise.all([opened.close(), other.close()]);
  });

  it("UI-01 a link of their own leaves the owner signed in, where they were, and still works elsewhere", async () => {
    const opened = await stage.open({ path: "/sessions" });
    const { page } = opened;
    await page.locator("view-sessions").waitFor();
    const session = async () => (await opened.context.cookies()).map(({ value }) => value);
    const before = await session();
    const link = await linkOf();
    await page.goto(link);
    await page.getByText("You are already signed in").waitFor();
    expect(page.url()).toBe(`${base}#/sessions`);
    await expect.poll(() => page.locator("view-sessions").count()).toBe(1);
    const tab = await opened.context.newPage();
    await tab.goto(link);
    await tab.getByText("You are already signed in").waitFor();
    expect(tab.url()).toBe(base);
    expect(await session()).toEqual(before);
    const other = await stage.open({ isStranger: true });
    await other.page.goto(link);
    await other.page.locator(".shell").waitFor();
    expectNoFaults(opened);
    await Promise.all([opened.close(), other.close()]);
  });

  it("UI-01 a link asks before it takes the place of somebody else's session, and a no does not use it up", async () => {
    const opened = await stage.open({ isStranger: true });
    const { page } = opened;
    await page.goto(await linkOf("viewer"));
    await page.locator(".shell").waitFor();
    const session = async () => (await opened.context.cookies()).map(({ value }) => value);
    const before = await session();
    const link = await linkOf();
    await page.goto(link);
    const question = page.getByRole("alertdialog", { name: "You are signed in as viewer" });
    await question.waitFor();
    expect(page.url()).not.toContain("code");
    expect(await findBarriers(page)).toEqual([]);
    // What is pressed without looking leaves everything as it is.
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "detached" });
    expect(await session()).toEqual(before);
    await page.getByText("You may read here, but not write.").waitFor();
    expect(await page.getByRole("link", { name: "First steps" }).count()).toBe(0);

    // As it is opened, not in the page that is open.
    await page.goto("about:blank");
    await page.goto(link);
    await question.getByRole("button", { name: "Sign in with the link" }).click();
    await page.getByPlaceholder("Write a message").waitFor();
    await page.getByRole("link", { name: "First steps" }).waitFor();
    expect(await session()).not.toEqual(before);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 a link that was used says so to somebody who is in and wanted to come in by it", async () => {
    const [opened, other] = [await stage.open({ isStranger: true }), await stage.open({ isStranger: true })];
    const { page } = opened;
    await page.goto(await linkOf("viewer"));
    await page.locator(".shell").waitFor();
    const link = await linkOf();
    await other.page.goto(link);
    await other.page.locator(".shell").waitFor();
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in with the link" }).click();
    await page.locator(".toast", { hasText: "was already used" }).waitFor();
    await page.getByText("You may read here, but not write.").waitFor();
    expectNoFaults(opened, refusals);
    await Promise.all([opened.close(), other.close()]);
  });

  it("UI-01 a code or link that is pasted signs in, and what is wrong is said in both languages", async () => {
    const opened = await stage.open({ isStranger: true, language: "zh" });
    const { page } = opened;
    const field = page.getByLabel("一次性代码或令牌");
    await field.fill("not-a-token-of-anybody");
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await page.getByText("无法登录").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await field.fill(await linkOf());
    await field.press("Enter");
    await page.locator(".shell").waitFor();
    expectNoFaults(opened, refusals);
    await opened.close();
  });

  it("UI-01 a phone asks to be let in, waits under its code, comes in as it was told, and reads why it is out", async () => {
    const desk = await stage.open();
    await openAccess(desk);
    const phone = await stage.open({ isStranger: true, size: "phone" });
    await phone.page.getByRole("button", { name: "Ask for access" }).click();
    const shown = phone.page.locator("view-sign-in .knock-code");
    await shown.waitFor();
    const code = /\w{4}-\w{4}/.exec(await shown.innerText())?.[0] ?? "";
    const card = desk.page.locator(".waiting-device", { hasText: code });
    await card.waitFor();
    expect(await findBarriers(desk.page)).toEqual([]);
    expect(await findBarriers(phone.page)).toEqual([]);
    await card.getByLabel("As").selectOption("viewer");
    await card.getByRole("button", { name: "Approve" }).click();
    await phone.page.locator(".shell").waitFor();
    const devices = desk.page.getByRole("table", { name: "Devices" });
    await devices.getByRole("cell", { name: "viewer" }).waitFor();
    await devices.getByRole("button", { name: /^Revoke/ }).click();
    await desk.page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    await desk.page.getByText(/^Revoked/).waitFor();
    // A signed-out browser learns it with its next request.
    await phone.page.evaluate(`location.hash = "#/sessions"`);
    await phone.page.getByText("You were signed out").waitFor();
    expectNoFaults(desk);
    expectNoFaults(phone, [...refusals, /WebSocket/]);
    await Promise.all([desk.close(), phone.close()]);
  });

  it("says how long to wait where too many tries were wrong", async () => {
    // One a minute: however slow this machine is, the second one comes too soon.
    const strict = await createStage({ config: { gateway: { limits: { signInTries: 1 } } } });
    const opened = await strict.open({ isStranger: true });
    const { page } = opened;
    const attempt = async (token: string) => {
      await page.getByLabel("One-time code or token").fill(token);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
    };
    await attempt("wrong");
    await page.getByText(/^This .*(code|token)/).waitFor();
    await attempt("wrong again");
    await page.getByText(/Too many failed tries.*Wait \d+ s/).waitFor();
    await expect.poll(() => page.locator("view-sign-in").count()).toBe(1);
    await opened.close();
    await strict.close();
  });
});

describe.skipIf(!hasBrowser)("passkeys", () => {
  it("UI-01 sign in as their maker, at this address alone, until they are taken back", async () => {
    const opened = await stage.open();
    const { page } = opened;
    const { session, id: authenticatorId } = await addAuthenticator(opened);
    await openAccess(opened);
    await makePasskey(page, "My laptop");
    await signOut(page);
    const proofs: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/sign-in")) proofs.push(request.postData() ?? "");
    });
    await passkeyButton(page).click();
    await page.locator(".shell").waitFor();
    const me = (await page.evaluate(`fetch("/api/me").then((answer) => answer.json())`)) as object;
    expect(me).toMatchObject({ role: "owner", way: "passkey" });

    // What was shown once lets nobody in a second time, here or from another page.
    const replay = (origin: string) =>
      fetch(`${base}api/sign-in`, {
        method: "POST",
        headers: { "content-type": "application/json", origin },
        body: proofs[0] ?? "",
      });
    expect((await replay(new URL(base).origin)).status).toBe(401);
    expect((await replay("https://evil.example")).status).toBe(403);

    // A copy of the key that has counted less is found out.
    await signOut(page);
    const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
    const [credential] = credentials;
    if (!credential) throw new Error("the device has no passkey");
    await session.send("WebAuthn.removeCredential", {
      authenticatorId,
      credentialId: credential.credentialId,
    });
    await session.send("WebAuthn.addCredential", {
      authenticatorId,
      credential: { ...credential, signCount: 0 },
    });
    await passkeyButton(page).click();
    await page.getByText("This passkey is not accepted").waitFor();

    const owner = await stage.open();
    await openAccess(owner);
    const passkeys = owner.page.getByRole("table", { name: "Passkeys" });
    await passkeys.getByRole("button", { name: "Revoke My laptop" }).click();
    await owner.page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    await passkeys.waitFor({ state: "detached" });
    await page.reload();
    await page.locator("view-sign-in form").first().waitFor();
    expect(await passkeyButton(page).count()).toBe(0);
    expectNoFaults(opened, refusals);
    expectNoFaults(owner);
    await Promise.all([opened.close(), owner.close()]);
  });

  it("UI-01 are not offered where browsers have none, and that is said", async () => {
    const opened = await stage.open({ isStranger: true });
    const { page } = opened;
    const elsewhere = (await linkOf()).replace("localhost", "127.0.0.1");
    await page.goto(elsewhere);
    await page.locator(".shell").waitFor();
    await page.goto(`${elsewhere.split("#", 1)[0]}#/access`);
    await page.getByText("Passkeys need localhost").waitFor();
    expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
    const answer = await page.evaluate(
      `fetch("/api/passkeys/options", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })
        .then((answer) => answer.json())`,
    );
    expect(answer).toMatchObject({
      error: { message: expect.stringContaining("Passkeys do not work at this address") },
    });
    await opened.close();
  });
});

describe.skipIf(!hasBrowser)("giving and taking back", () => {
  it("UI-01 a token is shown once, works, and is over when it is taken back", async () => {
    const opened = await stage.open();
    const { page } = opened;
    await openAccess(opened);
    await page.getByRole("button", { name: "Create a token" }).click();
    await page.getByLabel("What it is for").fill("monitoring");
    await page.getByRole("dialog").getByLabel("Role").selectOption("viewer");
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const token = await page.locator("make-token .command-line code").first().innerText();
    const ask = () => fetch(`${base}api/status`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask()).status).toBe(200);
    await page.getByRole("button", { name: "Done" }).click();
    expect(await page.locator("body").innerText()).not.toContain(token);
    await page.getByRole("button", { name: "Revoke monitoring" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked: 1.").waitFor();
    expect((await ask()).status).toBe(401);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 a link lets another browser in, which is said here; all others go at once, and this one stays", async () => {
    const opened = await stage.open({ size: "phone", theme: "dark", language: "zh" });
    const { page } = opened;
    await openAccess(opened);
    await page.getByRole("button", { name: "添加浏览器" }).click();
    await page.getByText("SSH 隧道").click();
    await page.getByText(/ssh -N -L \d+:127\.0\.0\.1:\d+/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "生成链接" }).click();
    const link = await page.locator("add-browser .command-line code", { hasText: "#code=" }).innerText();
    const other = await stage.open({ isStranger: true });
    await other.page.goto(link);
    await other.page.locator(".shell").waitFor();
    await page.getByText("已有浏览器通过链接接入").waitFor();
    await page.getByRole("button", { name: "完成" }).click();
    await page.getByText("此浏览器", { exact: true }).waitFor();
    await page.getByRole("button", { name: "令其他浏览器退出" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "令其他浏览器退出" }).click();
    await page.getByText(/^已撤销/).waitFor();
    await other.page.evaluate(`location.hash = "#/sessions"`);
    await other.page.getByText("You were signed out").waitFor();
    await expect.poll(() => page.locator("view-access tbody tr").count()).toBe(1);
    expectNoFaults(opened);
    await Promise.all([opened.close(), other.close()]);
  });

  it("UI-01 where an https front reaches this gateway, the link is for that, with its QR code", async () => {
    const opened = await stage.open();
    const { page } = opened;
    await openAccess(opened);
    // What the gateway says about itself is the gateway's to test; here it says that a front is there.
    await page.routeWebSocket(/\/ws$/, (socket) => {
      const server = socket.connectToServer();
      const asked = new Set<string>();
      socket.onMessage((text) => {
        const frame = JSON.parse(String(text)) as { id: string; method?: string };
        if (frame.method === "reach.status") asked.add(frame.id);
        server.send(text);
      });
      server.onMessage((text) => {
        const frame = JSON.parse(String(text)) as { id: string; payload: { addresses: object[] } };
        if (asked.has(frame.id)) {
          const front = {
            address: "https://desk.tail1.ts.net",
            kind: "tailscale",
            isSecure: true,
            leads: "here",
          };
          frame.payload.addresses.unshift(front);
        }
        socket.send(JSON.stringify(frame));
      });
    });
    await page.reload();
    await page.getByRole("button", { name: "Add a browser" }).click();
    await page.getByText("reaches this gateway").waitFor();
    expect(await page.getByText("Reach it from a phone").count()).toBe(0);
    await page.getByRole("button", { name: "Create a link" }).click();
    await page.getByRole("img", { name: "QR code of the link" }).waitFor();
    const link = await page.locator("add-browser .command-line code", { hasText: "#code=" }).innerText();
    expect(link).toMatch(/^https:\/\/desk\.tail1\.ts\.net\/#code=[\w-]{32}$/);
    expect(await findBarriers(page)).toEqual([]);
    await opened.close();
  });
});
