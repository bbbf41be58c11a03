/** Links that are followed from page to page: manuals, threads, notices. */
import type { Corpus } from "./case.ts";

export const cases: Corpus = [
  {
    type: "task",
    id: "task-research-follow-link",
    kind: "web",
    world: {
      pages: {
        "http://town.example/": '<p><a href="/pool">The pool</a> <a href="/zoo">The zoo</a></p>',
        "http://town.example/pool": "<p>A ticket for a day: 6 euros.</p>",
      },
    },
    says: [
      {
        text: "What does the pool cost? It must be somewhere on http://town.example/",
        script: [
          { call: "web_fetch", with: { url: "http://town.example/" } },
          { call: "web_fetch", with: { url: "http://town.example/pool" } },
          { text: "{{seen:/6 euros/}} for a day." },
        ],
      },
    ],
    done: [{ replied: "6 euros" }],
  },
  {
    type: "task",
    id: "task-research-follow-link-elsewhere",
    kind: "web",
    world: {
      pages: {
        "http://blog.example/bikes":
          '<p>The test is at <a href="http://lab.example/tests/841?lang=en">the lab</a>.</p>',
        "http://lab.example/tests/841?lang=en": "<p>Winner: the blue one.</p>",
      },
    },
    says: [
      {
        text: "http://blog.example/bikes mentions a test. Who won it?",
        script: [
          { call: "web_fetch", with: { url: "http://blog.example/bikes" } },
          { call: "web_fetch", with: { url: "{{seen:/http:\\/\\/lab\\.example\\/[^\\s)]+/}}" } },
          { text: "{{seen:/Winner: the blue one/}}." },
        ],
      },
    ],
    done: [{ replied: "the blue one" }],
  },
  {
    type: "task",
    id: "task-research-manual-deep",
    kind: "web",
    world: {
      pages: {
        "http://docs.lib.example/": '<a href="/guide">Guide</a>',
        "http://docs.lib.example/guide": '<a href="/guide/config">Config</a>',
        "http://docs.lib.example/guide/config": '<a href="/guide/config/retry">Retry</a>',
        "http://docs.lib.example/guide/config/retry": "<p>maxRetries is 5 unless told.</p>",
      },
    },
    says: [
      {
        text: "According to docs.lib.example, how often does it retry by default?",
        script: [
          { call: "web_fetch", with: { url: "http://docs.lib.example/" } },
          { call: "web_fetch", with: { url: "http://docs.lib.example/guide" } },
          { call: "web_fetch", with: { url: "http://docs.lib.example/guide/config" } },
          { call: "web_fetch", with: { url: "http://docs.lib.example/guide/config/retry" } },
          { text: "{{seen:/maxRetries is (\\d+)/}} times." },
        ],
      },
    ],
    done: [{ replied: "5 times" }],
  },
  {
    type: "task",
    id: "task-research-manual-found-by-search",
    kind: "web",
    world: {
      search: {
        "*": [{ title: "Parser: manual", url: "http://parser.example/docs/", snippet: "Manual of Parser" }],
      },
      pages: {
        "http://parser.example/docs/": '<a href="api.html">API</a> <a href="faq.html">FAQ</a>',
        "http://parser.example/docs/api.html": '<a href="options.html">Options</a>',
        "http://parser.example/docs/options.html": "<p>strict: refuses what is not closed.</p>",
      },
    },
    says: [
      {
        text: "What does the strict option of the parser library do? Check its manual.",
        script: [
          { call: "web_search", with: { query: "parser library manual strict option" } },
          { call: "web_fetch", with: { url: "http://parser.example/docs/" } },
          { call: "web_fetch", with: { url: "http://parser.example/docs/api.html" } },
          { call: "web_fetch", with: { url: "http://parser.example/docs/options.html" } },
          { text: "It {{seen:/refuses what is not closed/}}." },
        ],
      },
    ],
    done: [{ replied: "refuses what is not closed" }],
  },
  {
    type: "task",
    id: "task-research-next-pages",
    kind: "web",
    world: {
      pages: Object.fromEntries(
        [1, 2, 3, 4].map((page) => [
          `http://forum.example/t/boiler?page=${page}`,
          `<p>Answer ${page}: ${page === 4 ? "the valve was stuck" : "no idea"}.</p><a href="?page=${page + 1}">next</a>`,
        ]),
      ),
    },
    says: [
      {
        text: "Read this thread to its end and tell me the solution: http://forum.example/t/boiler?page=1",
        script: [
          { call: "web_fetch", with: { url: "http://forum.example/t/boiler?page=1" } },
          { call: "web_fetch", with: { url: "http://forum.example/t/boiler?page=2" } },
          { call: "web_fetch", with: { url: "http://forum.example/t/boiler?page=3" } },
          { call: "web_fetch", with: { url: "http://forum.example/t/boiler?page=4" } },
          { text: "In the end {{seen:/the valve was stuck/}}." },
        ],
      },
    ],
    done: [{ replied: "the valve was stuck" }],
  },
  {
    type: "task",
    id: "task-research-next-pages-found",
    kind: "web",
    world: {
      search: {
        "*": [{ title: "Boiler", url: "http://heating.example/t/9?page=1", snippet: "Boiler makes noise" }],
      },
      pages: Object.fromEntries(
        [1, 2, 3, 4, 5].map((page) => [
          `http://heating.example/t/9?page=${page}`,
          `<p>Answer ${page}: ${page === 5 ? "bleed the radiators" : "same here"}.</p><a href="?page=${page + 1}">next</a>`,
        ]),
      ),
    },
    says: [
      {
        text: "My boiler hums at night. Find out what people did about that.",
        script: [
          { call: "web_search", with: { query: "boiler hums at night" } },
          { call: "web_fetch", with: { url: "http://heating.example/t/9?page=1" } },
          { call: "web_fetch", with: { url: "http://heating.example/t/9?page=2" } },
          { call: "web_fetch", with: { url: "http://heating.example/t/9?page=3" } },
          { call: "web_fetch", with: { url: "http://heating.example/t/9?page=4" } },
          { call: "web_fetch", with: { url: "http://heating.example/t/9?page=5" } },
          { text: "They {{seen:/bleed the radiators/}}." },
        ],
      },
    ],
    done: [{ replied: "bleed the radiators" }],
  },
  {
    type: "task",
    id: "task-research-zh-follow-pdf",
    kind: "web",
    world: {
      pages: {
        "http://xuexiao.example/tongzhi": '<p><a href="/files/2026-05.pdf">Spring notice</a></p>',
        "http://xuexiao.example/files/2026-05.pdf": {
          type: "application/pdf",
          body: "Sports day: 20 May\nStart 8:30",
        },
      },
    },
    says: [
      {
        text: "打开 http://xuexiao.example/tongzhi ，看看里面的通知说运动会几号？",
        script: [
          { call: "web_fetch", with: { url: "http://xuexiao.example/tongzhi" } },
          { call: "web_fetch", with: { url: "http://xuexiao.example/files/2026-05.pdf" } },
          { text: "运动会：{{seen:/20 May/}}。" },
        ],
      },
    ],
    done: [{ replied: "20 May" }],
  },
];
