/**
 * The tools of the programs. Those of the product are the product's own, over files, memory, mail and a web in memory;
 * those of a plugin declare themselves, or declare nothing.
 */
import { defineTool, recipientOf, type Destination, type Tool } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { createMemoryAppendTool } from "../../../src/memory/memory-append-tool.ts";
import { hashOf, type FileVersion } from "../../../src/sandbox/file-version.ts";
import type { Egress } from "../../../src/sandbox/egress/egress.ts";
import type { WorkdirFiles } from "../../../src/sandbox/workdir-files.ts";
import { createMessageTool } from "../../../src/tools/conversation/message.ts";
import { createSessionsSendTool } from "../../../src/tools/conversation/sessions-send.ts";
import { createExecTool } from "../../../src/tools/exec.ts";
import type { ExecParts } from "../../../src/tools/exec-parts.ts";
import type { FileLabels } from "../../../src/tools/files/file-labels.ts";
import { createReadFileTool } from "../../../src/tools/files/read-file.ts";
import { createWriteFileTool } from "../../../src/tools/files/write-file.ts";
import { createRecallTool, type RecallParts } from "../../../src/tools/recall.ts";
import { createHttpRequestTool } from "../../../src/tools/web/http-request.ts";
import { createResearchTool, type SendScout } from "../../../src/tools/web/research.ts";
import { createWebFetchTool } from "../../../src/tools/web/web-fetch.ts";
import { createWebSearchTool } from "../../../src/tools/web/web-search.ts";
import { createDeskTools } from "../desk-tools.ts";
import { placeNamed, sessionNames, ownerPlaces } from "./law-tools.ts";
import type { LawWorld, OutsideEvent } from "./port.ts";

/** What happened, without when. */
export type Happened<Event = OutsideEvent> = Event extends OutsideEvent
  ? Omit<Event, "turn" | "call">
  : never;

export type CoreFiles = Pick<
  WorkdirFiles,
  "root" | "reach" | "read" | "stamp" | "readPart" | "readWhole" | "write"
>;

/** Where the tools of one program work. */
export interface ToolPlace {
  world: LawWorld;
  files: CoreFiles;
  labels: FileLabels;
  remember(text: string): void;
  open: RecallParts["open"];
  send: SendScout;
  happened(event: Happened): void;
}

/** Made once, since their schemas are compiled: they ask where they work at each call. */
export function createCoreTools(mails: LawWorld["mails"], place: () => ToolPlace): Tool[] {
  const labels: FileLabels = {
    of: (seen) => place().labels.of(seen),
    writing: (call) => place().labels.writing(call),
  };
  const files: CoreFiles = {
    root,
    reach: "workdir",
    read: (...given) => place().files.read(...given),
    stamp: (...given) => place().files.stamp(...given),
    readPart: (...given) => place().files.readPart(...given),
    readWhole: (...given) => place().files.readWhole(...given),
    write: (...given) => place().files.write(...given),
  };
  const act = (tool: string, recipients: string[], given: Record<string, string>) => {
    if (recipients.length > 0 && recipients.every((each) => ownerPlaces.includes(each))) return;
    place().happened({ type: "act", tool, recipients, arguments: given });
  };
  return [
    createReadFileTool({ files, labels }),
    createWriteFileTool(files, labels),
    program(files),
    createMemoryAppendTool({
      todayPath: () => "memory/today.md",
      async append({ text }) {
        place().remember(text);
        return { path: "memory/today.md", line: 1, added: true };
      },
    }),
    createRecallTool({ open: (...given) => place().open(...given) }),
    createMessageTool({
      find: async (to, { conversation }) => {
        const destination = to === undefined ? conversation : destinationOf(to);
        if (!destination) return { refused: "nobody is reached there" };
        const key = recipientOf(destination);
        return {
          destination,
          name: undefined,
          key,
          isOwn: conversation ? key === recipientOf(conversation) : false,
        };
      },
      async send({ recipient: { destination }, text }) {
        const to = placeNamed(destination);
        act("message", [to], { to, text });
        return { outcome: "underway" };
      },
      shown: ({ recipient, text }) => `to ${recipient.key}: ${text}`,
    }),
    createSessionsSendTool({
      find: async (session) =>
        sessionNames.includes(session)
          ? { sessionKey: session, destination: null }
          : { refused: "no such session" },
      async send({ session, text }) {
        act("sessions_send", [session], { session, text });
        return { sessionKey: session, isNew: true };
      },
      shown: ({ session, text }) => `to ${session.sessionKey}: ${text}`,
    }),
    createResearchTool({ send: (...given) => place().send(...given) }),
    createWebFetchTool({ egress: egressOf(place), pages, maxChars: 20_000 }),
    createHttpRequestTool({ egress: egressOf(place) }),
    search(place),
    ...createDeskTools({
      mails: Object.entries(mails).map(([id, body]) => ({ id, from: "somebody", subject: "mail", body })),
      calendar: [],
      parcelError: "",
      record(effect) {
        if (effect.type === "mail")
          act("mail_send", [effect.to], { to: effect.to, subject: effect.subject, body: effect.body });
        if (effect.type === "calendar")
          act("calendar_add", guestsOf(effect.invite), {
            title: effect.title,
            when: effect.when,
            invite: effect.invite,
          });
        if (effect.type === "service")
          act(effect.tool, ["undeclared"], JSON.parse(effect.words) as Record<string, string>);
      },
    }),
    ticketTool((ticket) => act("ticket_open", ["plugin"], ticket)),
  ];
}

/** An entry without a guest stays with the owner: nobody hears of it. */
export const guestsOf = (invite: string): string[] => (invite === "" ? [] : [invite]);

/** A plugin's that says what steers it and what leaves. */
export const ticketTool = (opened: (ticket: { queue: string; text: string }) => void): Tool =>
  defineTool({
    name: "ticket_open",
    effect: "act",
    controls: { queue: "value" },
    leaves: ["text"],
    description: "Open a ticket.",
    input: Type.Object({ queue: Type.String(), text: Type.String() }),
    async run(ticket) {
      opened(ticket);
      return { text: "opened" };
    },
  });

const root = "/w";

/** As the product declares it; the program prints a file. */
function program(files: Pick<CoreFiles, "read">): Tool {
  const { needsApproval: _asked, describe: _described, ...declared } = createExecTool({} as ExecParts);
  return {
    ...declared,
    async run(input) {
      const { command } = input as { command: string };
      return { text: (await files.read(command.replace(/^cat /, ""), Infinity)).text };
    },
  };
}

/** As the product declares it; the service finds nothing. */
function search(place: () => ToolPlace): Tool {
  const declared = createWebSearchTool({
    settings: {
      enabled: true,
      order: ["searxng"],
      maxResults: 5,
      providers: { searxng: { baseUrl: "http://search.example" } },
    },
    readSecret: async (text) => text,
    egress: egressOf(place),
    pages: { readDuckDuckGo: async () => [] },
    clock: createHandClock(),
  });
  if (!declared) throw new Error("there is a search service");
  return {
    ...declared,
    async run(input) {
      place().happened({ type: "search", query: (input as { query: string }).query });
      return { text: "Nothing was found." };
    },
  };
}

/** A page as it is. */
const pages = {
  readPage: async ({ bytes }: { bytes: Uint8Array }) => ({
    kind: "text" as const,
    title: "",
    text: Buffer.from(bytes).toString("utf8"),
  }),
};

/** A request that carries nothing but its address is a reading. */
const egressOf = (place: () => ToolPlace): Pick<Egress, "request"> => ({
  async request({ url, method = "GET", body }) {
    const { happened, world } = place();
    const host = URL.parse(url)?.host;
    if (!host || !/^https?:/i.test(url)) throw new Error("this is no address of the web");
    const said = typeof body === "string" ? body : "";
    if (method === "GET" && said === "") happened({ type: "read", by: "turn", url });
    else happened({ type: "act", tool: "http_request", recipients: [host], arguments: { url, body: said } });
    return {
      status: 200,
      headers: { "content-type": "text/plain" },
      body: Buffer.from(world.pages[url] ?? "nothing here"),
      truncated: false,
      url,
    };
  },
});

function destinationOf(to: string): Destination | undefined {
  const [, id] = /^pigeon:(-?\d+)$/.exec(to) ?? [];
  if (id === undefined) return undefined;
  const peerKind = id.startsWith("-") ? ("group" as const) : ("user" as const);
  return { channel: "pigeon", accountId: "default", target: { peerKind, peerId: id } };
}

export function createCoreFiles(
  given: LawWorld["files"],
): CoreFiles & { versionOf(path: string): FileVersion } {
  const texts = new Map(Object.entries(given).map(([path, { text }]) => [path, text]));
  const textOf = (path: string): string => {
    const text = texts.get(path);
    if (text === undefined) throw new Error(`there is no ${path.slice(0, 40)}`);
    return text;
  };
  const versionOf = (path: string): FileVersion => ({
    real: `${root}/${path}`,
    name: path,
    hash: hashOf(textOf(path)),
    ctimeMs: 0,
  });
  return {
    root,
    reach: "workdir",
    versionOf,
    stamp: (path) => (texts.has(path) ? hashOf(textOf(path)) : ""),
    read: async (path) => ({ text: textOf(path), size: textOf(path).length, truncated: false }),
    async readPart(path) {
      const text = textOf(path);
      return { type: "text", text, size: text.length, next: undefined, version: versionOf(path) };
    },
    readWhole: async (path) => ({ bytes: Buffer.from(textOf(path)), version: versionOf(path) }) as never,
    async write(path, written, options) {
      const made = !texts.has(path);
      const content = typeof written === "string" ? written : Buffer.from(written).toString("utf8");
      await options?.before?.({ real: `${root}/${path}`, name: path, hash: hashOf(content), content });
      texts.set(path, content);
      return { made };
    },
  };
}
