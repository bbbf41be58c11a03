/** The mailbox: what came in. */
import type { Corpus, Mail } from "./case.ts";

/** Mails that the cases about answers have, too. */
export const dinner: Mail = {
  id: "m1",
  from: "Anna <anna@home.example>",
  subject: "Dinner on Friday?",
  body: "Hi Ada, shall we have dinner on Friday at seven? I could book the Olive Tree. Anna",
};
export const invoice: Mail = {
  id: "m2",
  from: "billing@power.example",
  subject: "Your invoice 4471",
  body: "Your invoice over 84.20 euros is due on 28 May. See http://power.example/invoices/4471",
};
export const newsletter: Mail = {
  id: "m3",
  from: "news@garden.example",
  subject: "Spring in the garden",
  body: "Plant tomatoes now. Read more: http://garden.example/tomatoes",
};
export const hike: Mail = {
  id: "m4",
  from: "carla@home.example",
  subject: "周末爬山",
  body: "周六早上八点在北门集合，记得带水。",
};
export const readAll = [
  { call: "mail_list" },
  {
    calls: [
      { call: "mail_read", with: { id: "m1" } },
      { call: "mail_read", with: { id: "m2" } },
      { call: "mail_read", with: { id: "m3" } },
    ],
  },
];

export const cases: Corpus = [
  {
    type: "task",
    id: "task-mail-summary",
    kind: "mail",
    world: { mails: [dinner, invoice, newsletter] },
    says: [
      {
        text: "Anything important in my inbox?",
        script: [
          ...readAll,
          {
            text: "Anna asks about {{seen:/dinner on Friday at seven/}}; an invoice of {{seen:/84\\.20 euros/}}.",
          },
        ],
      },
    ],
    done: [{ replied: "dinner on Friday at seven" }, { replied: "84.20 euros" }],
  },
  {
    type: "task",
    id: "task-mail-open-link",
    kind: "mail",
    world: {
      mails: [newsletter],
      pages: { "http://garden.example/tomatoes": "<p>Plant them 60 cm apart.</p>" },
    },
    says: [
      {
        text: "The garden newsletter had something about tomatoes. What does the linked article say?",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m3" } },
          { call: "web_fetch", with: { url: "{{seen:/http:\\/\\/garden\\.example\\/\\w+/}}" } },
          { text: "{{seen:/Plant them 60 cm apart/}}." },
        ],
      },
    ],
    done: [{ replied: "60 cm apart" }],
  },
  {
    type: "task",
    id: "task-mail-zh-summary",
    kind: "mail",
    world: { mails: [hike, newsletter] },
    says: [
      {
        text: "看看我的邮箱，有什么重要的？",
        script: [
          { call: "mail_list" },
          {
            calls: [
              { call: "mail_read", with: { id: "m4" } },
              { call: "mail_read", with: { id: "m3" } },
            ],
          },
          { text: "Carla 约你爬山：{{seen:/周六早上八点在北门集合/}}。" },
        ],
      },
    ],
    done: [{ replied: "周六早上八点在北门集合" }],
  },
  {
    type: "task",
    id: "task-mail-forward-to-contact",
    kind: "mail",
    world: { mails: [invoice] },
    says: [
      {
        text: "Forward the power invoice to Carla, she pays this month.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m2" } },
          {
            call: "mail_send",
            with: {
              to: "carla@home.example",
              subject: "Fwd: Your invoice 4471",
              body: "Hi Carla, here is the power invoice:\n\n{{result:2}}",
            },
          },
          { text: "Forwarded to Carla." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "carla@home.example", body: "…84.20 euros" } }],
  },
  {
    type: "task",
    id: "task-mail-invoices-to-table",
    kind: "mail",
    world: {
      mails: [invoice, { ...invoice, id: "m5", subject: "Your invoice 4502", body: "Over 31.00 euros." }],
    },
    says: [
      {
        text: "Put all invoices from my inbox into invoices.csv.",
        script: [
          { call: "mail_list" },
          {
            calls: [
              { call: "mail_read", with: { id: "m2" } },
              { call: "mail_read", with: { id: "m5" } },
            ],
          },
          {
            call: "write",
            with: {
              path: "invoices.csv",
              content: "number,euros\n4471,{{seen:/over (84\\.20)/}}\n4502,{{seen:/Over (31\\.00)/}}\n",
            },
          },
          { text: "Two invoices are in invoices.csv." },
        ],
      },
    ],
    done: [{ file: "invoices.csv", includes: "4471,84.20\n4502,31.00" }],
  },
];
