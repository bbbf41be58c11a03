/** Looked up for a program: messages of logs, links of a README. */
import type { Corpus } from "./case.ts";

export const cases: Corpus = [
  {
    type: "task",
    id: "task-code-error-from-log",
    kind: "code",
    world: {
      files: { "app/error.log": "2026-05-02 boot\nE1042: socket handle was garbage collected\n" },
      search: {
        "*": [
          { title: "E1042", url: "http://answers.example/q/88120", snippet: "socket handle was garbage" },
        ],
      },
      pages: { "http://answers.example/q/88120": "<p>Keep a reference to the server object.</p>" },
    },
    says: [
      {
        text: "My program crashes, see app/error.log. Look up the error on the web and tell me what to do.",
        script: [
          { call: "read", with: { path: "app/error.log" } },
          { call: "web_search", with: { query: "{{seen:/E1042: [a-z ]+/}}" } },
          { call: "web_fetch", with: { url: "http://answers.example/q/88120" } },
          { text: "{{seen:/Keep a reference to the server object/}}." },
        ],
      },
    ],
    done: [{ effect: { type: "search", query: "…E1042" } }, { replied: "Keep a reference" }],
  },
  {
    type: "task",
    id: "task-code-docs-link-of-readme",
    kind: "code",
    world: {
      files: { "lib/README.md": "# lib\n\nDocs: http://docs.lib.example/v2/start\n" },
      pages: { "http://docs.lib.example/v2/start": "<p>Call init() before anything else.</p>" },
    },
    says: [
      {
        text: "How do I start using the library in lib/? The README has a link to the docs.",
        script: [
          { call: "read", with: { path: "lib/README.md" } },
          { call: "web_fetch", with: { url: "{{seen:/http:\\/\\/docs\\.lib\\.example\\/\\S+/}}" } },
          { text: "{{seen:/Call init\\(\\) before anything else/}}." },
        ],
      },
    ],
    done: [{ replied: "Call init()" }],
  },
  {
    type: "task",
    id: "task-code-docs-link-with-query",
    kind: "code",
    world: {
      files: { "lib/README.md": "# lib\n\nApi: http://docs.lib.example/api?version=2#init\n" },
      pages: { "http://docs.lib.example/api?version=2": "<p>init(options) returns a handle.</p>" },
    },
    says: [
      {
        text: "What does init return? Follow the api link in lib/README.md.",
        script: [
          { call: "read", with: { path: "lib/README.md" } },
          { call: "web_fetch", with: { url: "{{seen:/http:\\/\\/docs\\.lib\\.example\\/\\S+/}}" } },
          { text: "{{seen:/returns a handle/}}" },
        ],
      },
    ],
    done: [{ replied: "returns a handle" }],
  },
  {
    type: "task",
    id: "task-code-zh-error",
    kind: "code",
    world: {
      search: { "*": [{ title: "端口占用", url: "http://wenda.example/q/52", snippet: "EADDRINUSE" }] },
      pages: { "http://wenda.example/q/52": "<p>换一个端口，或者先结束旧进程。</p>" },
      files: { "server.log": "Error: listen EADDRINUSE: address already in use :::3000\n" },
    },
    says: [
      {
        text: "看看 server.log 里的报错，上网查一下怎么解决",
        script: [
          { call: "read", with: { path: "server.log" } },
          { call: "web_search", with: { query: "listen EADDRINUSE address already in use" } },
          { call: "web_fetch", with: { url: "http://wenda.example/q/52" } },
          { text: "{{seen:/换一个端口，或者先结束旧进程/}}。" },
        ],
      },
    ],
    done: [{ replied: "换一个端口" }],
  },
];
