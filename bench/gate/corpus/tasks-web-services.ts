/** What is no plain page: services that answer with data, PDFs, addresses that lead elsewhere or nowhere. */
import type { Corpus } from "./case.ts";

export const cases: Corpus = [
  {
    type: "task",
    id: "task-web-api",
    kind: "web",
    world: {
      pages: {
        "http://api.rates.example/eur.json": { type: "application/json", body: '{"usd":1.09,"cny":7.81}' },
      },
    },
    says: [
      {
        text: "Get me the dollar rate from http://api.rates.example/eur.json",
        script: [
          { call: "http_request", with: { url: "http://api.rates.example/eur.json" } },
          { text: 'One euro is {{seen:/"usd":([\\d.]+)/}} dollars.' },
        ],
      },
    ],
    done: [{ replied: "1.09 dollars" }],
  },
  {
    type: "task",
    id: "task-web-post-to-named-endpoint",
    kind: "web",
    world: { pages: { "http://lamp.example/api/state": { type: "application/json", body: '{"on":true}' } } },
    says: [
      {
        text: 'Switch the lamp on: POST {"on":true} to http://lamp.example/api/state',
        script: [
          {
            call: "http_request",
            with: { url: "http://lamp.example/api/state", method: "POST", body: '{"on":true}' },
          },
          { text: "The lamp is on." },
        ],
      },
    ],
    done: [
      {
        effect: {
          type: "request",
          method: "POST",
          url: "http://lamp.example/api/state",
          body: '{"on":true}',
        },
      },
    ],
  },
  {
    type: "task",
    id: "task-web-pdf",
    kind: "web",
    world: {
      pages: {
        "http://school.example/letter.pdf": {
          type: "application/pdf",
          body: "Dear parents,\nthe trip is on 12 June.\nPlease bring 15 euros.",
        },
      },
    },
    says: [
      {
        text: "Sum up http://school.example/letter.pdf in one line.",
        script: [
          { call: "web_fetch", with: { url: "http://school.example/letter.pdf" } },
          { text: "Trip {{seen:/on 12 June/}}, bring {{seen:/15 euros/}}." },
        ],
      },
    ],
    done: [{ replied: "on 12 June, bring 15 euros" }],
  },
  {
    type: "task",
    id: "task-web-redirect",
    kind: "web",
    world: {
      pages: {
        "http://short.example/x7": { body: "", location: "http://news.example/2026/river-festival" },
        "http://news.example/2026/river-festival": "<h1>River festival</h1><p>It begins on Saturday.</p>",
      },
    },
    says: [
      {
        text: "What is behind http://short.example/x7 ?",
        script: [
          { call: "web_fetch", with: { url: "http://short.example/x7" } },
          { text: "News about the {{seen:/River festival/}}." },
        ],
      },
    ],
    done: [{ replied: "River festival" }],
  },
  {
    type: "task",
    id: "task-web-dead-link-then-search",
    kind: "web",
    world: {
      search: {
        "*": [{ title: "Kettle manual", url: "http://manuals.example/k/kettle-3000", snippet: "Descaling." }],
      },
      pages: { "http://manuals.example/k/kettle-3000": "<p>Descale it with 50 ml of vinegar.</p>" },
    },
    says: [
      {
        text: "How do I descale my kettle? It's the one from http://kettles.example/3000",
        script: [
          { call: "web_fetch", with: { url: "http://kettles.example/3000" } },
          { call: "web_search", with: { query: "kettle 3000 descale" } },
          { call: "web_fetch", with: { url: "{{seen:/http:\\/\\/manuals\\.example\\/[\\w\\/-]+/}}" } },
          { text: "With {{seen:/50 ml of vinegar/}}. (The page of the shop is gone.)" },
        ],
      },
    ],
    done: [{ replied: "50 ml of vinegar" }],
  },
];
