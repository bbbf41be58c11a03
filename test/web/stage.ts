/** The page in Debian's Chromium, against a gateway in a process of its own with a model that answers as a test says. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { sharedBrowser } from "../browser.ts";
import { freePort } from "../free-port.ts";
import { makeHome, startGateway, type RunningGateway, type TestHome } from "../run-pincer.ts";
import {
  startScriptedModelServer,
  type AskedModel,
  type ScriptedAnswer,
  type ScriptedModelServer,
} from "../scripted-model-server.ts";

export const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

export interface OpenOptions {
  size?: keyof typeof sizes;
  theme?: "light" | "dark";
  language?: "en" | "zh";
  /** Behind the #: "/sessions". */
  path?: string;
  /** Not signed in: the page is opened at its plain address. */
  isStranger?: boolean;
}

export interface Stage {
  home: TestHome;
  model: ScriptedModelServer;
  /** `http://localhost:port`; after a restart the same. */
  address(): Promise<string>;
  /** What the model says from now on. */
  answerWith(answer: (asked: AskedModel) => ScriptedAnswer): void;
  gateway(): RunningGateway;
  /** Starts it again, after it was killed, where it was: pages that are open come back to it. */
  restart(): Promise<void>;
  /** A browser of its own, signed in. */
  open(options?: OpenOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenPage {
  page: Page;
  context: BrowserContext;
  /** What went wrong in the page so far: errors on the console, what the policy refused, requests that left this machine. */
  faults: string[];
  close(): Promise<void>;
}

export interface StageOptions {
  /** On top of a model that answers. */
  config?: object;
  /** Without it the config names the scripted model. */
  isFresh?: boolean;
  environment?: Record<string, string>;
  /** Done to the home before the gateway opens it. */
  prepare?(home: TestHome): Promise<unknown>;
}

export async function createStage(options: StageOptions = {}): Promise<Stage> {
  const home = makeHome();
  let answer = ({ text }: AskedModel): ScriptedAnswer => ({ text: `You said: ${lastLine(text)}` });
  const model = await startScriptedModelServer((asked) => answer(asked));
  if (!options.isFresh) writeConfig(home, model, options.config ?? {});
  await options.prepare?.(home);
  // The same port after a restart, as a port of the config is.
  const environment = { PINCER_PORT: String(await freePort()), ...options.environment };
  let gateway = await startGateway(home, [], environment);
  const end = async () => {
    gateway.process.kill("SIGKILL");
    await model.close();
    home.remove();
  };
  const browser = await sharedBrowser().catch(async (error: unknown) => {
    // Nobody gets a stage to close.
    await end();
    throw error;
  });
  const contexts: BrowserContext[] = [];
  return {
    home,
    model,
    address: async () => (await serviceOf(home)).address,
    answerWith: (next) => void (answer = next),
    gateway: () => gateway,
    async restart() {
      gateway = await startGateway(home, [], environment);
    },
    open: (open = {}) => openPage({ browser, contexts, home, ...open }),
    async close() {
      // Those of tests that failed are open still.
      await Promise.all(contexts.map((context) => context.close()));
      await end();
    },
  };
}

function writeConfig(home: TestHome, model: ScriptedModelServer, more: object): void {
  const config = {
    models: { providers: { fake: scriptedProvider(model) } },
    agents: { defaults: { model: { primary: "fake/small" } } },
    queue: { debounceMs: 0 },
    ...more,
  };
  writeFileSync(join(home.path, "config.json5"), JSON.stringify(config), { mode: 0o600 });
}

const scriptedProvider = ({ baseUrl }: ScriptedModelServer): object => ({
  baseUrl,
  api: "openai-completions",
  apiKey: "sk-fake-1234567890",
  models: [
    { id: "small", input: ["text", "image"], cost: { input: 1, output: 4, cacheRead: 0, cacheWrite: 0 } },
  ],
});

async function serviceOf(home: TestHome): Promise<{ address: string }> {
  const { out } = await home.run(["gateway", "status", "--json"]);
  return JSON.parse(out) as { address: string };
}

async function openPage({
  browser,
  contexts,
  home,
  size = "desktop",
  theme = "light",
  language = "en",
  path = "",
  isStranger = false,
}: OpenOptions & { browser: Browser; contexts: BrowserContext[]; home: TestHome }): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: theme,
    locale: language === "zh" ? "zh-CN" : "en-US",
    hasTouch: size === "phone",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  contexts.push(context);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (!["data:", "blob:"].includes(protocol) && !["localhost", "127.0.0.1"].includes(hostname))
      faults.push(`left this machine: ${request.url()}`);
  });
  const { status, out, err } = await home.run(["access", "code", "--json"]);
  if (status !== 0) throw new Error(`no link to sign in by: ${err}`);
  const { link } = JSON.parse(out) as { link: string };
  await page.goto(isStranger ? new URL("/", link).href : link);
  if (!isStranger) {
    await page.locator(".shell").waitFor();
    if (path !== "") await page.goto(`${new URL("/", link).href}#${path}`);
  }
  return { page, context, faults, close: () => context.close() };
}

/** From its next load on, the page takes the owner for somebody of another role: what it offers then is seen without all that such a person lacks. */
export async function takeFor(page: Page, role: string): Promise<void> {
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => {
      const frame = JSON.parse(String(text)) as { id?: string; payload?: { caller?: { role: string } } };
      if (frame.id === "connect" && frame.payload?.caller) frame.payload.caller.role = role;
      socket.send(JSON.stringify(frame));
    });
  });
}

/** What Chromium reports when a test kills the gateway: a request then finds nobody, or its connection ends before the answer. */
export const gatewayIsGone = [
  /ERR_(CONNECTION_(REFUSED|RESET|CLOSED|ABORTED)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH|SOCKET_NOT_CONNECTED)|WebSocket connection/,
];

/** Fails for whatever the page did wrong; what a test causes on purpose is named by `allowed`. */
export function expectNoFaults({ faults }: Pick<OpenPage, "faults">, allowed: RegExp[] = []): void {
  expect(faults.filter((fault) => !allowed.some((pattern) => pattern.test(fault)))).toEqual([]);
}

/** What axe-core finds that is serious or worse. */
export async function findBarriers(page: Page): Promise<string[]> {
  const { default: axe } = await import("axe-core");
  // Through the protocol, since the page's policy lets no other script in.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe.source });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " " + target.join(" ") + ": " + failureSummary))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return JSON.parse(String(result.value)) as string[];
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";
