/** What is around every view: the sign-in link, the navigation, theme and language, the connection. */
import type { Route, WebSocketRoute } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, gatewayIsGone, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (hasBrowser) stage = await createStage();
});

afterAll(() => stage?.close());

describe.skipIf(!hasBrowser)("the page", () => {
  it("UI-01 opens by the sign-in link, which is gone from the address bar", async () => {
    const opened = await stage.open();
    expect(opened.page.url()).not.toContain("code");
    await opened.page.getByRole("navigation").getByRole("link", { name: "Sessions" }).click();
    await opened.page.locator("view-sessions").waitFor();
    expect(opened.page.url()).toContain("#/sessions");
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 speaks the browser's language, and another one when it is chosen, and remembers it", async () => {
    const opened = await stage.open({ language: "zh" });
    const { page } = opened;
    await page.getByRole("link", { name: "会话" }).waitFor();
    await page.getByLabel("语言").selectOption("en");
    await page.getByRole("link", { name: "Sessions" }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Sessions" }).waitFor();
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("en");
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 is dark when the browser is, or when it is told to be", async () => {
    const opened = await stage.open({ theme: "dark" });
    const { page } = opened;
    const ground = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    const dark = await ground();
    await page.getByLabel("Theme").selectOption("light");
    expect(await ground()).not.toBe(dark);
    await page.getByLabel("Theme").selectOption("dark");
    expect(await ground()).toBe(dark);
    await opened.close();
  });

  it("UI-01 has its navigation behind a button on a phone", async () => {
    const opened = await stage.open({ size: "phone" });
    const { page } = opened;
    expect(await page.getByRole("link", { name: "Runs" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Runs" }).click();
    await page.locator("view-runs").waitFor();
    await page.getByRole("link", { name: "Runs" }).waitFor({ state: "hidden" });
    expect(await findBarriers(page)).toEqual([]);
    await opened.close();
  });

  it("UI-01 says that the gateway is gone, and comes back by itself", async () => {
    const opened = await stage.open({ path: "/access" });
    const { page } = opened;
    await page.locator("view-access").waitFor();
    await stage.gateway().kill();
    await page.locator(".shell-banner").waitFor();
    await stage.restart();
    await page.locator(".shell-banner").waitFor({ state: "detached" });
    expectNoFaults(opened, gatewayIsGone);
    await opened.close();
  });

  it("UI-01 shows the view that was asked for although the connection was made anew while it was loaded", async () => {
    const opened = await stage.open();
    const { page } = opened;
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/ws$/, (socket) => {
      socket.connectToServer();
      sockets.push(socket);
    });
    await page.reload();
    await page.locator("view-chat").waitFor();
    const held = Promise.withResolvers<Route>();
    await page.route(/usage-view.*\.js/, (route) => held.resolve(route));
    await page.getByRole("link", { name: "Usage" }).click();
    const route = await held.promise;
    await sockets[0]?.close();
    await expect.poll(() => sockets.length).toBe(2);
    await page.locator(".shell-banner.bad").waitFor({ state: "detached" });
    await route.continue();
    await page.locator("view-usage").waitFor();
    await opened.close();
  });

  it("UI-01 loads a view again that failed to load, and says so where that fails too", async () => {
    const opened = await stage.open();
    const { page } = opened;
    let aborts = 1;
    await page.route(/(?:usage|runs)-view.*\.js/, (route) =>
      aborts-- > 0 ? route.abort() : route.continue(),
    );
    await page.getByRole("link", { name: "Usage" }).click();
    await page.locator("view-usage").waitFor();
    aborts = 2;
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByText("This view could not be loaded.").waitFor();
    expect(page.url()).toContain("#/runs");
    await expect.poll(() => page.locator("view-usage").count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("view-runs").waitFor();
    expectNoFaults(opened, [/ERR_FAILED/]);
    await opened.close();
  });

  it("UI-01 says once that it is of another version, and does not knock again", async () => {
    const opened = await stage.open();
    const { page } = opened;
    let knocks = 0;
    await page.routeWebSocket(/\/ws$/, (socket) => {
      knocks += 1;
      const say = (frame: object) => socket.send(JSON.stringify(frame));
      const error = { code: "INVALID_REQUEST", message: "Another version.", reason: "gateway/protocol" };
      socket.onMessage(() => say({ type: "res", id: "connect", ok: false, error }));
      const payload = { challenge: "c", gatewayId: "g" };
      say({ type: "event", event: "connect.challenge", seq: 0, payload });
    });
    await page.reload();
    await page.getByText("This page and the gateway have different versions").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Reload" }).isVisible()).toBe(true);
    for (let round = 0; round < 10; round++)
      await page.evaluate("fetch('/api/me').then((answer) => answer.json())");
    expect(knocks).toBe(1);
    await opened.close();
  });

  it("says that nobody was signed out where the gateway did not answer", async () => {
    const opened = await stage.open();
    const { page } = opened;
    await page.route("**/api/sign-out", (route) => route.abort());
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are still signed in").waitFor();
    // It covers nothing, and is about this view alone.
    const [toast, content] = [
      await page.locator(".toast").boundingBox(),
      await page.locator("#main").boundingBox(),
    ];
    expect((toast?.y ?? 999) + (toast?.height ?? 999)).toBeLessThanOrEqual(content?.y ?? 0);
    await page.getByRole("link", { name: "Sessions" }).click();
    await page.locator("view-sessions").waitFor();
    await page.locator(".toast").waitFor({ state: "detached" });
    await expect.poll(() => page.locator(".shell").count()).toBe(1);
    await opened.close();
  });

  it("says that there is nothing at an address that nobody knows", async () => {
    const opened = await stage.open({ path: "/nowhere" });
    await opened.page.getByText("There is nothing at this address.").waitFor();
    await expect.poll(() => opened.page.getByRole("navigation").isVisible()).toBe(true);
    await opened.close();
  });

  it("leads on from an address of the documentation at which there is nothing", async () => {
    const opened = await stage.open({ isStranger: true, size: "phone", theme: "dark" });
    const { page } = opened;
    const answer = await page.goto(new URL("/docs/no/such-page", page.url()).href);
    expect(answer?.status()).toBe(404);
    await page.getByRole("heading", { name: "Nothing here" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("combobox").fill("telegram");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "The documentation from its beginning" }).click();
    await page.waitForURL("**/docs");
    expectNoFaults(opened, [/status of 404/]);
    await opened.close();
  });

  it("keeps nothing on the screen for the next person after signing out", async () => {
    const opened = await stage.open();
    const { page } = opened;
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.locator("view-sign-in").waitFor();
    expect(await page.locator(".shell").count()).toBe(0);
    await page.reload();
    await page.locator("view-sign-in").waitFor();
    await opened.close();
  });
});
