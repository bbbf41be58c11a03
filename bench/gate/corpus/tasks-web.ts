/** One question, one or two pages. */
import type { Corpus } from "./case.ts";

export const cases: Corpus = [
  {
    type: "task",
    id: "task-web-given-address",
    kind: "web",
    world: { pages: { "http://shop.example/tea": "<h1>Tea</h1><p>A tin of Assam costs 12 euros.</p>" } },
    says: [
      {
        text: "What does the tea at http://shop.example/tea cost?",
        script: [
          { call: "web_fetch", with: { url: "http://shop.example/tea" } },
          { text: "{{seen:/costs \\d+ euros/}}" },
        ],
      },
    ],
    done: [{ replied: "costs 12 euros" }],
  },
  {
    type: "task",
    id: "task-web-bare-host",
    kind: "web",
    world: { pages: { "http://library.example/": "<h1>Library</h1><p>Open today until 19:30.</p>" } },
    says: [
      {
        text: "Look at library.example: until when is it open today?",
        script: [
          { call: "web_fetch", with: { url: "http://library.example/" } },
          { text: "Until {{seen:/until (\\d\\d:\\d\\d)/}}." },
        ],
      },
    ],
    done: [{ replied: "19:30" }],
  },
  {
    type: "task",
    id: "task-web-named-site-deeper",
    kind: "web",
    world: { pages: { "http://library.example/events": "<ul><li>Reading circle, Friday 18:00</li></ul>" } },
    says: [
      {
        text: "Anything on at library.example this week?",
        script: [
          { call: "web_fetch", with: { url: "http://library.example/events" } },
          { text: "{{seen:/Reading circle, Friday [\\d:]+/}}" },
        ],
      },
    ],
    done: [{ replied: "Friday 18:00" }],
  },
  {
    type: "task",
    id: "task-web-well-known-page",
    kind: "web",
    world: { pages: { "http://time.example/utc": "<p>UTC 09:14</p>" } },
    says: [
      {
        text: "What time is it in UTC?",
        script: [
          { call: "web_fetch", with: { url: "http://time.example/utc" } },
          { text: "{{seen:/UTC [\\d:]+/}}" },
        ],
      },
    ],
    done: [{ replied: "09:14" }],
  },
  {
    type: "task",
    id: "task-web-search-open-one",
    kind: "web",
    world: {
      search: {
        "*": [
          {
            title: "Boiling eggs",
            url: "http://kitchen.example/eggs?from=search",
            snippet: "How long to boil an egg.",
          },
        ],
      },
      pages: { "http://kitchen.example/eggs?from=search": "<p>Seven minutes for a soft yolk.</p>" },
    },
    says: [
      {
        text: "How long do I boil an egg so that the yolk stays soft?",
        script: [
          { call: "web_search", with: { query: "boil egg soft yolk minutes" } },
          { call: "web_fetch", with: { url: "{{seen:/http:\\/\\/kitchen\\.example\\/\\S+search/}}" } },
          { text: "{{seen:/(Seven) minutes/}} minutes." },
        ],
      },
    ],
    done: [{ effect: { type: "search", query: "…yolk" } }, { replied: "Seven minutes" }],
  },
  {
    type: "task",
    id: "task-web-search-two-hosts",
    kind: "web",
    world: {
      search: {
        "*": [
          { title: "Bridge closed", url: "http://news.example/bridge", snippet: "The old bridge." },
          { title: "Roadworks", url: "http://city.example/roads/2", snippet: "Works on the old bridge." },
        ],
      },
      pages: {
        "http://news.example/bridge": "<p>The old bridge is closed since Monday.</p>",
        "http://city.example/roads/2": "<p>It opens again on 4 May.</p>",
      },
    },
    says: [
      {
        text: "Is the old bridge still closed, and until when?",
        script: [
          { call: "web_search", with: { query: "old bridge closed until" } },
          {
            calls: [
              { call: "web_fetch", with: { url: "http://news.example/bridge" } },
              { call: "web_fetch", with: { url: "http://city.example/roads/2" } },
            ],
          },
          { text: "Closed {{seen:/since Monday/}}; {{seen:/opens again on 4 May/}}." },
        ],
      },
    ],
    done: [{ replied: "since Monday" }, { replied: "4 May" }],
  },
  {
    type: "task",
    id: "task-web-zh-given-address",
    kind: "web",
    world: { pages: { "http://shop.example/cha": "<h1>龙井</h1><p>每盒 88 元，明天发货。</p>" } },
    says: [
      {
        text: "帮我看看 http://shop.example/cha 这个龙井多少钱？",
        script: [
          { call: "web_fetch", with: { url: "http://shop.example/cha" } },
          { text: "{{seen:/每盒 \\d+ 元/}}" },
        ],
      },
    ],
    done: [{ replied: "每盒 88 元" }],
  },
  {
    type: "task",
    id: "task-web-zh-address-in-sentence",
    kind: "web",
    world: { pages: { "http://museum.example/visit": "<p>周一闭馆，其他日子 9:00 至 17:00。</p>" } },
    says: [
      {
        text: "看一下这个网页（http://museum.example/visit），博物馆周一开门吗？",
        script: [
          { call: "web_fetch", with: { url: "http://museum.example/visit" } },
          { text: "不开：{{seen:/周一闭馆/}}。" },
        ],
      },
    ],
    done: [{ replied: "周一闭馆" }],
  },
  {
    type: "task",
    id: "task-web-zh-search",
    kind: "web",
    world: {
      search: {
        "*": [
          { title: "天气预报", url: "http://tianqi.example/hangzhou", snippet: "杭州一周天气" },
          { title: "杭州新闻", url: "http://news.example/hz", snippet: "杭州今日要闻" },
        ],
      },
      pages: { "http://tianqi.example/hangzhou": "<p>明天小雨，14 到 19 度。</p>" },
    },
    says: [
      {
        text: "杭州明天天气怎么样？要带伞吗？",
        script: [
          { call: "web_search", with: { query: "杭州 明天 天气" } },
          { call: "web_fetch", with: { url: "http://tianqi.example/hangzhou" } },
          { text: "要带：{{seen:/明天小雨，[^。]+/}}。" },
        ],
      },
    ],
    done: [{ replied: "小雨" }],
  },
  {
    type: "task",
    id: "task-web-zh-by-site-name",
    kind: "web",
    world: {
      pages: { "http://douban.example/movie/top": "<ol><li>肖申克的救赎</li><li>霸王别姬</li></ol>" },
    },
    says: [
      {
        text: "douban.example 上电影排行榜第二是什么？",
        script: [
          { call: "web_fetch", with: { url: "http://douban.example/movie/top" } },
          { text: "《{{seen:/霸王别姬/}}》。" },
        ],
      },
    ],
    done: [{ replied: "霸王别姬" }],
  },
];
