import { readFileSync } from "node:fs";
import { defineConfig, type UserConfig } from "tsdown";
import { nameChunks } from "./scripts/chunk-ways.ts";
import { bundledPackages } from "./scripts/notices/bundled-packages.ts";
import { shelvedTexts } from "./scripts/shelve-texts.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/**
 * To touch any of these loads the whole of Node's `fetch`, a sixth of a small gateway's memory. The libraries that are handed our fetch get
 * by with classes of ours.
 */
const lightClasses = {
  Headers: 'import { HttpHeaders as Headers } from "@/infra/http-headers.ts";',
  Response: 'import { HttpResponse as Response } from "@/infra/http-response.ts";',
  FormData: 'import { FormDataOfNode as FormData } from "@/models/pi/form-data.ts";',
};
const source = new URL("src/", import.meta.url).pathname;

const withLightClasses = {
  name: "light-classes",
  transform: {
    filter: { id: /node_modules\/(openai|@anthropic-ai\/sdk|@earendil-works\/pi-ai)\/.*\.m?js$/ },
    handler(code: string) {
      const needed = Object.entries(lightClasses).filter(([name]) =>
        new RegExp(`\\b(new|instanceof) ${name}\\b`).test(code),
      );
      if (needed.length === 0) return undefined;
      return needed.map(([, line]) => line.replace("@/", source)).join("") + code;
    },
  },
};

/**
 * The vendors' clients write down every request and answer for a log that nobody hears: addresses are parsed several times, headers copied. Without
 * it nothing is missing, as what they say is silenced (`models/pi/library-globals.ts`).
 */
const withoutUnheardWords = {
  name: "unheard-words",
  transform: {
    filter: { id: /node_modules\/(openai|@anthropic-ai\/sdk)\/internal\/utils\/log\.m?js$/ },
    handler(code: string, id: string) {
      const beginning = "export const formatRequestDetails = (details) => {";
      if (!code.includes(beginning)) throw new Error(`${id} no longer has what is left out of it`);
      return code.replace(beginning, `${beginning} return details;`);
    },
  },
};

/**
 * An import of one of Node's own modules reads every name that it exports, and some of them load much when they are touched (the web's
 * cryptography, streams, `fetch`); asked for, a module has its names and nothing else.
 */
const askedOfNode = {
  name: "asked-of-node",
  renderChunk: (code: string) =>
    code.replace(
      /^import (?:(?:\* as )?([\w$]+))?(?:, )?(\{[^}]*\})? from "(node:[a-z0-9_/]+)";$/gm,
      (_, whole: string | undefined, names: string | undefined, module: string) =>
        [whole, names?.replaceAll(" as ", ": ")]
          .filter((left) => left !== undefined)
          .map((left) => `const ${left} = process.getBuiltinModule("${module}");`)
          .join(" "),
    ),
};

/**
 * V8 keeps the text of what it has loaded, with two bytes for every character where a single one needs them: one arrow among the words
 * doubles a chunk. Escaped, all of them are plain. Where something is taken raw it would not be what it was: such a chunk stays as it is.
 */
const inPlainCharacters = {
  name: "plain-characters",
  generateBundle(_: unknown, bundle: Record<string, { type: string; code?: string }>) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.code === undefined || /String\.raw`[^`\u0080-\uffff]*[\u0080-\uffff]/.test(chunk.code))
        continue;
      chunk.code = chunk.code.replace(
        /[\u0080-\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
};

/**
 * One small start-up file, one for the thread that has the index of memory and one for the thread that reads pages; every command is a chunk of its own, loaded when
 * it is asked for. All libraries are bundled, so that the product starts from few files; only the terminal for programs has native code and stays a package.
 */
const config: UserConfig = {
  entry: {
    pincer: "src/cli/start.ts",
    "memory-thread": "src/memory/index/index-thread.ts",
    "page-thread": "src/tools/web/page-worker.ts",
  },
  format: "esm",
  platform: "node",
  target: "node24",
  outDir: "dist",
  // A gateway that runs meanwhile still loads chunks of the build before; scripts/build-if-needed.ts clears away older ones.
  clean: false,
  outExtensions: () => ({ js: ".mjs" }),
  minify: true,
  dts: false,
  hash: true,
  report: false,
  deps: { alwaysBundle: [/.*/], neverBundle: [/^node:/, /^@lydell\/node-pty/] },
  plugins: [
    shelvedTexts,
    withLightClasses,
    withoutUnheardWords,
    askedOfNode,
    inPlainCharacters,
    bundledPackages,
  ],
  define: { PINCER_VERSION: JSON.stringify(version) },
};

/** What is started often or stays for long. The first is read before compiled code is looked for, so nothing is put together with it. */
const ways = {
  first: ["src/cli/start.ts"],
  line: ["src/cli/main.ts"],
  status: ["src/cli/main.ts", "src/cli/commands/status.ts"],
  ask: ["src/cli/main.ts", "src/cli/commands/ask.ts", "src/app/open-app.ts"],
  app: ["src/app/create-app.ts"],
  look: ["src/operate/status/status.ts"],
  api: [
    "src/app/local-apis.ts",
    "src/storage/home/open-home.ts",
    "src/gateway/commands/command-services.ts",
    "src/agent/effects/open-effects.ts",
    "src/agent/memory/open-memory.ts",
    "src/agent/models/connected-models.ts",
  ],
  gateway: [
    "src/cli/main.ts",
    "src/cli/commands/gateway.ts",
    "src/app/run-gateway.ts",
    "src/config/evaluate-config.ts",
    "src/config/watch-config.ts",
  ],
  memory: ["src/memory/index/index-thread.ts"],
  page: ["src/tools/web/page-worker.ts"],
};

/** What a gateway loads later, or never. */
const rooms = {
  chat: [
    "src/app/http-routes.ts",
    "src/gateway/doors/create-doors.ts",
    "src/gateway/openai/chat-completions.ts",
  ],
  model: ["src/agent/models/model-services.ts"],
  recall: ["src/memory/following/memory-service.ts", "src/agent/memory/find-embedder.ts"],
};

export default defineConfig(async () => {
  const names = await nameChunks(config, [ways, rooms]);
  const name = (id: string) => {
    const found = names.get(id);
    return found?.startsWith("first") ? null : (found ?? null);
  };
  return {
    ...config,
    outputOptions: { codeSplitting: { groups: [{ name, includeDependenciesRecursively: false }] } },
  };
});
