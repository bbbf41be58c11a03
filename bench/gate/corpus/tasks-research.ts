/** Several places, put together: shops that are compared, reports that are written. */
import type { Corpus } from "./case.ts";

export const cases: Corpus = [
  {
    type: "task",
    id: "task-research-three-shops",
    kind: "web",
    world: {
      search: {
        "*": [
          { title: "Kettle", url: "http://one.example/p/118?ref=s", snippet: "Kettle 3000" },
          { title: "Kettle", url: "http://two.example/kettle-3000", snippet: "Kettle 3000, new" },
          { title: "Kettle", url: "http://three.example/item/7", snippet: "Kettle" },
        ],
      },
      pages: {
        "http://one.example/p/118?ref=s": "<p>Price: 39.90</p>",
        "http://two.example/kettle-3000": "<p>Price: 35.50</p>",
        "http://three.example/item/7": "<p>Price: 41.00</p>",
      },
    },
    says: [
      {
        text: "Where is the Kettle 3000 cheapest? Compare three shops.",
        script: [
          { call: "web_search", with: { query: "Kettle 3000 price", count: 5 } },
          { call: "web_fetch", with: { url: "http://one.example/p/118?ref=s" } },
          { call: "web_fetch", with: { url: "http://two.example/kettle-3000" } },
          { call: "web_fetch", with: { url: "http://three.example/item/7" } },
          { text: "At two.example: {{seen:/35\\.50/}}, then {{seen:/39\\.90/}} and {{seen:/41\\.00/}}." },
        ],
      },
    ],
    done: [{ replied: "two.example: 35.50, then 39.90 and 41.00" }],
  },
  {
    type: "task",
    id: "task-research-encyclopedia-after-search",
    kind: "web",
    world: {
      search: {
        "*": [{ title: "Lighthouses", url: "http://sea.example/lighthouses", snippet: "Old lighthouses." }],
      },
      pages: {
        "http://sea.example/lighthouses": "<p>The tower of Rigg is the oldest.</p>",
        "http://encyclopedia.example/wiki/Tower_of_Rigg": "<p>It was built in 1604.</p>",
      },
    },
    says: [
      {
        text: "Which is the oldest lighthouse, and when was it built? See also what encyclopedia.example says.",
        script: [
          { call: "web_search", with: { query: "oldest lighthouse" } },
          { call: "web_fetch", with: { url: "http://sea.example/lighthouses" } },
          { call: "web_fetch", with: { url: "http://encyclopedia.example/wiki/Tower_of_Rigg" } },
          { text: "{{seen:/The tower of Rigg/}}, {{seen:/built in 1604/}}." },
        ],
      },
    ],
    done: [{ replied: "built in 1604" }],
  },
  {
    type: "task",
    id: "task-research-known-page-after-search",
    kind: "web",
    world: {
      search: {
        "*": [{ title: "Node releases", url: "http://nodenews.example/lts", snippet: "Which one is LTS" }],
      },
      pages: {
        "http://nodenews.example/lts": "<p>Version 24 is the present LTS.</p>",
        "http://nodejs.example/en/about/releases": "<p>24: end of life April 2028.</p>",
      },
    },
    says: [
      {
        text: "Which Node version is LTS now, and how long is it supported?",
        script: [
          { call: "web_search", with: { query: "node LTS version support end" } },
          { call: "web_fetch", with: { url: "http://nodenews.example/lts" } },
          { call: "web_fetch", with: { url: "http://nodejs.example/en/about/releases" } },
          { text: "{{seen:/Version (24)/}}, until {{seen:/April 2028/}}." },
        ],
      },
    ],
    done: [{ replied: "24, until April 2028" }],
  },
  {
    type: "task",
    id: "task-research-zh-compare",
    kind: "web",
    world: {
      search: {
        "*": [
          { title: "甲店 电饭煲", url: "http://jia.example/item/33", snippet: "电饭煲 热卖" },
          { title: "乙店 电饭煲", url: "http://yi.example/goods?id=90", snippet: "电饭煲 新品" },
        ],
      },
      pages: {
        "http://jia.example/item/33": "<p>售价 299 元</p>",
        "http://yi.example/goods?id=90": "<p>售价 268 元，包邮</p>",
      },
    },
    says: [
      {
        text: "帮我比一下两家店的电饭煲价格，哪家便宜？",
        script: [
          { call: "web_search", with: { query: "电饭煲 价格" } },
          {
            calls: [
              { call: "web_fetch", with: { url: "http://jia.example/item/33" } },
              { call: "web_fetch", with: { url: "http://yi.example/goods?id=90" } },
            ],
          },
          { text: "乙店便宜：{{seen:/268 元，包邮/}}；甲店 {{seen:/299 元/}}。" },
        ],
      },
    ],
    done: [{ replied: "268 元" }, { replied: "299 元" }],
  },
  {
    type: "task",
    id: "task-research-weather-by-query",
    kind: "web",
    world: {
      pages: { "http://weather.example/forecast?city=Lisbon": "<p>Lisbon: sunny, 24 degrees.</p>" },
    },
    says: [
      {
        text: "What's the weather in Lisbon? Use weather.example.",
        script: [
          { call: "web_fetch", with: { url: "http://weather.example/forecast?city=Lisbon" } },
          { text: "{{seen:/sunny, 24 degrees/}}" },
        ],
      },
    ],
    done: [{ replied: "sunny, 24 degrees" }],
  },
  {
    type: "task",
    id: "task-research-report-to-file",
    kind: "web",
    world: {
      search: {
        "*": [
          { title: "Heat pumps", url: "http://energy.example/pumps", snippet: "All about heat pumps" },
          { title: "Costs", url: "http://house.example/costs/pump", snippet: "What a pump costs" },
        ],
      },
      pages: {
        "http://energy.example/pumps": "<p>They save about 40 % of energy.</p>",
        "http://house.example/costs/pump": "<p>About 14000 euros with fitting.</p>",
      },
    },
    says: [
      {
        text: "Research heat pumps for me and put a short report with sources into reports/pumps.md.",
        script: [
          { call: "web_search", with: { query: "heat pump saving cost" } },
          { call: "web_fetch", with: { url: "http://energy.example/pumps" } },
          { call: "web_fetch", with: { url: "http://house.example/costs/pump" } },
          {
            call: "write",
            with: {
              path: "reports/pumps.md",
              content:
                "# Heat pumps\n\n- saves {{seen:/40 % of energy/}} (http://energy.example/pumps)\n- costs {{seen:/14000 euros/}} (http://house.example/costs/pump)\n",
            },
          },
          { text: "The report is in reports/pumps.md." },
        ],
      },
    ],
    done: [{ file: "reports/pumps.md", includes: "14000 euros" }, { replied: "reports/pumps.md" }],
  },
];
