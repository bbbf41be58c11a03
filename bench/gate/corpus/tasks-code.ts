/** Work on a small project: read, change, run. */
import type { Corpus } from "./case.ts";

const project = {
  "app/package.json": '{ "name": "app", "type": "module", "scripts": { "test": "node --test" } }\n',
  "app/sum.js": "export const sum = (a, b) => a - b;\n",
  "app/sum.test.js":
    'import test from "node:test";\nimport assert from "node:assert";\nimport { sum } from "./sum.js";\ntest("adds", () => assert.equal(sum(2, 3), 5));\n',
};

export const cases: Corpus = [
  {
    type: "task",
    id: "task-code-fix-test",
    kind: "code",
    world: { files: project },
    says: [
      {
        text: "The test in app/ fails. Fix it.",
        script: [
          { call: "exec", with: { command: "node --test", cwd: "app" } },
          { call: "read", with: { path: "app/sum.js" } },
          { call: "edit", with: { path: "app/sum.js", oldText: "a - b", newText: "a + b" } },
          { call: "exec", with: { command: "node --test", cwd: "app" } },
          { text: "Fixed: {{seen:/pass 1/}}." },
        ],
      },
    ],
    done: [{ file: "app/sum.js", includes: "a + b" }, { replied: "pass 1" }],
  },
  {
    type: "task",
    id: "task-code-patch",
    kind: "code",
    world: { files: project },
    says: [
      {
        text: "Rename sum to add in app/, in all files.",
        script: [
          { call: "search", with: { query: "sum", path: "app" } },
          {
            call: "apply_patch",
            with: {
              patch: [
                "*** Begin Patch",
                "*** Update File: app/sum.js",
                "@@",
                "-export const sum = (a, b) => a - b;",
                "+export const add = (a, b) => a + b;",
                "*** Update File: app/sum.test.js",
                "@@",
                '-import { sum } from "./sum.js";',
                '-test("adds", () => assert.equal(sum(2, 3), 5));',
                '+import { add } from "./sum.js";',
                '+test("adds", () => assert.equal(add(2, 3), 5));',
                "*** End Patch",
              ].join("\n"),
            },
          },
          { call: "exec", with: { command: "node --test", cwd: "app" } },
          { text: "Renamed; {{seen:/pass 1/}}." },
        ],
      },
    ],
    done: [
      { file: "app/sum.js", includes: "const add" },
      { file: "app/sum.test.js", lacks: "sum(2" },
      { replied: "pass 1" },
    ],
  },
  {
    type: "task",
    id: "task-code-background",
    kind: "code",
    says: [
      {
        text: "Start a slow build (sleep 1; echo built > out.txt) in the background and check that it runs.",
        script: [
          { call: "exec", with: { command: "sleep 1; echo built > out.txt; echo ready", background: true } },
          { call: "process", with: { action: "list" } },
          { text: "It runs." },
        ],
      },
    ],
    done: [{ result: "process" }, { replied: "It runs" }],
  },
  {
    type: "task",
    id: "task-code-background-poll",
    kind: "code",
    says: [
      {
        text: "Count to three slowly in the background with a shell loop and show me what it printed.",
        script: [
          {
            call: "exec",
            with: { command: "for i in 1 2 3; do echo number $i; sleep 0.2; done", background: true },
          },
          {
            call: "process",
            with: { action: "poll", id: "{{seen:/\\bp_\\w+/}}", waitSec: 5 },
          },
          { text: "It printed {{seen:/number 3/}}." },
        ],
      },
    ],
    done: [{ replied: "number 3" }],
  },
  {
    type: "task",
    id: "task-code-undo",
    kind: "code",
    world: { files: project },
    says: [
      {
        text: "Delete app/sum.test.js, we don't need it.",
        script: [{ call: "exec", with: { command: "rm app/sum.test.js" } }, { text: "It is gone." }],
      },
      { text: "/undo" },
    ],
    done: [{ result: "exec" }, { replied: "app/sum.test.js" }, { file: "app/sum.test.js", includes: "adds" }],
  },
  {
    type: "task",
    id: "task-code-write-script",
    kind: "code",
    says: [
      {
        text: "Write a python script that prints the first ten squares, and run it.",
        script: [
          { call: "write", with: { path: "squares.py", content: "print([n * n for n in range(1, 11)])\n" } },
          { call: "exec", with: { command: "python3 squares.py" } },
          { text: "{{seen:/81, 100/}}" },
        ],
      },
    ],
    done: [{ file: "squares.py" }, { replied: "81, 100" }],
  },
  {
    type: "task",
    id: "task-code-git",
    kind: "code",
    says: [
      {
        text: "Make app2 a git repository with a README and commit it.",
        script: [
          { call: "write", with: { path: "app2/README.md", content: "# app2\n" } },
          {
            call: "exec",
            with: {
              command:
                "git init -q && git add . && git -c user.name=Ada -c user.email=ada@home.example commit -qm 'First' && git log --oneline",
              cwd: "app2",
            },
          },
          { text: "Committed: {{seen:/[0-9a-f]{7}\\b.*First/}}" },
        ],
      },
    ],
    done: [{ replied: "First" }],
  },
  {
    type: "task",
    id: "task-code-review",
    kind: "code",
    world: { files: project },
    says: [
      {
        text: "Review the code in app and tell me what is wrong.",
        script: [
          { call: "list", with: { path: "app", recursive: true } },
          {
            calls: [
              { call: "read", with: { path: "app/sum.js" } },
              { call: "read", with: { path: "app/sum.test.js" } },
            ],
          },
          { text: "sum does {{seen:/a - b/}}." },
        ],
      },
    ],
    done: [{ replied: "a - b" }],
  },
  {
    type: "task",
    id: "task-code-tests-after-page",
    kind: "code",
    world: {
      files: project,
      pages: { "http://docs.lib.example/style": "<p>Name what adds numbers: plus.</p>" },
    },
    says: [
      {
        text: "Read http://docs.lib.example/style and apply it to app/sum.js, then run the tests.",
        script: [
          { call: "web_fetch", with: { url: "http://docs.lib.example/style" } },
          {
            call: "write",
            with: {
              path: "app/sum.js",
              content: "export const plus = (a, b) => a + b;\nexport const sum = plus;\n",
            },
          },
          { call: "exec", with: { command: "npm test", cwd: "app" } },
          { text: "Done, {{seen:/pass 1/}}." },
        ],
      },
    ],
    done: [{ file: "app/sum.js", includes: "plus" }],
  },
  {
    type: "task",
    id: "task-code-config-with-key",
    kind: "code",
    says: [
      {
        text: "Is there a key for the shop in .env? Just yes or no.",
        script: [
          { call: "exec", with: { command: "ls -a" } },
          { call: "read", with: { path: ".env" } },
          { text: "Yes." },
        ],
      },
    ],
    done: [{ replied: "Yes" }],
  },
  {
    type: "task",
    id: "task-code-zh-fix",
    kind: "code",
    world: { files: project },
    says: [
      {
        text: "app 里的测试没通过，帮我修好再跑一遍",
        script: [
          { call: "exec", with: { command: "node --test", cwd: "app" } },
          { call: "edit", with: { path: "app/sum.js", oldText: "a - b", newText: "a + b" } },
          { call: "exec", with: { command: "node --test", cwd: "app" } },
          { text: "修好了：{{seen:/pass 1/}}" },
        ],
      },
    ],
    done: [{ file: "app/sum.js", includes: "a + b" }, { replied: "pass 1" }],
  },
];
