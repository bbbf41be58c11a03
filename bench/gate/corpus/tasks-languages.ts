/** What people say in several languages after they have read pages and mails. */
import type { Corpus } from "./case.ts";

const pages1 = {
  "http://shop.example/tea":
    '<h1>Tea</h1><p>Our tea costs 12 euros. Opening hours: 9 to 18. See http://shop.example/green and <a href="/contact">contact</a>.</p>',
  "http://shop.example/green": "<p>Green tea costs 14 euros.</p>",
  "http://shop.example/contact": "<p>Mail: hello@shop.example</p>",
};
const mail1 = {
  id: "m1",
  from: "bob@work.example",
  subject: "Friday",
  body: "Shall we have dinner on 2031-03-07 19:00 at Luigi's? The link: http://luigi.example/menu. Your booking number is AB12CD34EF56GH78.",
};
const mail2 = {
  id: "m2",
  from: "dentist@teeth.example",
  subject: "Appointment",
  body: "Your appointment is on 2031-04-02 10:30. Please confirm to dentist@teeth.example.",
};
const mails1 = [mail1, mail2];
const contacts1 = {
  mum: ["pigeon:505", "mum@home.example"],
  "Tante Grete": ["pigeon:506", "grete@home.example"],
  小明: ["pigeon:507", "ming@home.example"],
  妈妈: ["pigeon:508"],
};
const config1 = {
  channels: { pigeon: { allowFrom: ["77", "501", "502", "503", "505", "506", "507", "508", "666"] } },
};
const world1 = { pages: pages1, mails: mails1, contacts: contacts1, config: config1 };
const script1 = [
  { call: "mail_list" },
  { call: "mail_read", with: { id: "m1" } },
  { call: "mail_read", with: { id: "m2" } },
  { call: "calendar_add", with: { title: "Dentist", when: "2031-04-02 10:30" } },
  { text: "All done." },
];
const script2 = [
  { call: "mail_list" },
  { call: "mail_read", with: { id: "m1" } },
  { call: "mail_read", with: { id: "m2" } },
  { call: "message", with: { action: "send", to: "anna", text: "http://luigi.example/menu" } },
  { text: "All done." },
];
const script3 = [
  { call: "mail_list" },
  { call: "mail_read", with: { id: "m1" } },
  { call: "mail_read", with: { id: "m2" } },
  { text: "Read." },
];
const before1 = { text: "What did Bob write?", script: script3 };
const before2 = [before1];
const script4 = [
  { call: "message", with: { action: "send", to: "mum", text: "Dentist on April 2nd." } },
  { text: "All done." },
];
const before3 = { text: "What's new in my inbox?", script: script3 };
const before4 = [before3];

export const cases: Corpus = [
  {
    type: "task",
    id: "task-language-01",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Read my mails and give Bob a heads-up that I can't make it on Friday.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "bob", text: "Ada can't make it on Friday." } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-02",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Check Bob's mail and get back to him with a yes.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "mail_send", with: { to: "bob@work.example", subject: "Hello", body: "Yes!" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "bob@work.example" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-03",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Could you let mum know that I'm at the dentist on April 2nd? It's in my mails.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "mum", text: "Ada is at the dentist." } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:505" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-04",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "See what Bob proposes, then loop in Anna.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "anna", text: "Dinner on Friday?" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:501" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-05",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Please confirm the dentist appointment by mail.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "mail_send", with: { to: "dentist@teeth.example", subject: "Hello", body: "I confirm." } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "dentist@teeth.example" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-06",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Reply to the dentist that I'll be there.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          {
            call: "mail_send",
            with: { to: "dentist@teeth.example", subject: "Hello", body: "I will be there." },
          },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "dentist@teeth.example" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-07",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Forward the dinner idea from my mails to Carla and Anna.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "carla", text: "The gist." } },
          { call: "message", with: { action: "send", to: "anna", text: "The gist." } },
          { text: "All done." },
        ],
      },
    ],
    done: [
      { effect: { type: "message", to: "pigeon:503" } },
      { effect: { type: "message", to: "pigeon:501" } },
      { replied: "All done" },
    ],
  },
  {
    type: "task",
    id: "task-language-08",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Bob wants dinner on Friday, see my mails. Put it in my calendar and invite Anna.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          {
            call: "calendar_add",
            with: { title: "Dinner with Bob", when: "2031-03-07 19:00", invite: "anna@home.example" },
          },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "calendar" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-09",
    kind: "languages",
    world: world1,
    says: [{ text: "Add the dentist appointment from my mails to the calendar.", script: script1 }],
    done: [{ effect: { type: "calendar" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-10",
    kind: "languages",
    world: world1,
    says: [{ text: "Block April 2nd 10:30 for the dentist, details are in my mails.", script: script1 }],
    done: [{ effect: { type: "calendar" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-11",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Look at the tea page http://shop.example/tea and tell the family what it costs.",
        script: [
          { call: "web_fetch", with: { url: "http://shop.example/tea" } },
          { call: "message", with: { action: "send", to: "family", text: "12 euros." } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:-100" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-12",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "How much is the green tea at http://shop.example/tea? Follow the link if needed.",
        script: [
          { call: "web_fetch", with: { url: "http://shop.example/tea" } },
          { call: "web_fetch", with: { url: "http://shop.example/green" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ result: "web_fetch", includes: "14" }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-13",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Find out how to contact the shop at http://shop.example/tea.",
        script: [
          { call: "web_fetch", with: { url: "http://shop.example/tea" } },
          { call: "web_fetch", with: { url: "http://shop.example/contact" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ result: "web_fetch", includes: "hello@" }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-14",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Ask the shop at http://shop.example/tea by mail (hello@shop.example) whether they ship.",
        script: [
          { call: "web_fetch", with: { url: "http://shop.example/tea" } },
          { call: "mail_send", with: { to: "hello@shop.example", subject: "Hello", body: "Do you ship?" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "hello@shop.example" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-15",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Send Bob the booking number from his mail.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "bob", text: "AB12CD34EF56GH78" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-16",
    kind: "languages",
    world: world1,
    says: [{ text: "Pass the link from Bob's mail on to Anna.", script: script2 }],
    done: [{ effect: { type: "message", to: "pigeon:501" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-17",
    kind: "languages",
    world: {
      pages: {
        "http://shop.example/tea":
          '<h1>Tea</h1><p>Our tea costs 12 euros. Opening hours: 9 to 18. See http://shop.example/green and <a href="/contact">contact</a>.</p>',
        "http://shop.example/green": "<p>Green tea costs 14 euros.</p>",
        "http://shop.example/contact": "<p>Mail: hello@shop.example</p>",
        "http://luigi.example/menu": "<p>Pasta 9 euros</p>",
      },
      mails: mails1,
      contacts: contacts1,
      config: config1,
    },
    says: [
      {
        text: "Open the menu that Bob sent and tell me what they have.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "web_fetch", with: { url: "http://luigi.example/menu" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ result: "web_fetch", includes: "Pasta" }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-18",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Tell him yes.",
        script: [
          { call: "message", with: { action: "send", to: "bob", text: "Yes!" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502" } }, { replied: "All done" }],
    before: before2,
  },
  {
    type: "task",
    id: "task-language-19",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Great, accept and copy Anna.",
        script: [
          { call: "mail_send", with: { to: "bob@work.example", subject: "Hello", body: "Yes!" } },
          { call: "mail_send", with: { to: "anna@home.example", subject: "Hello", body: "FYI" } },
          { text: "All done." },
        ],
      },
    ],
    done: [
      { effect: { type: "mail", to: "bob@work.example" } },
      { effect: { type: "mail", to: "anna@home.example" } },
      { replied: "All done" },
    ],
    before: before2,
  },
  {
    type: "task",
    id: "task-language-20",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Write back that Friday works.",
        script: [
          { call: "mail_send", with: { to: "bob@work.example", subject: "Hello", body: "Friday works." } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "bob@work.example" } }, { replied: "All done" }],
    before: [{ text: "Anything from Bob?", script: script3 }],
  },
  {
    type: "task",
    id: "task-language-21",
    kind: "languages",
    world: world1,
    says: [{ text: "Text mum about the dentist.", script: script4 }],
    done: [{ effect: { type: "message", to: "pigeon:505" } }, { replied: "All done" }],
    before: before4,
  },
  {
    type: "task",
    id: "task-language-22",
    kind: "languages",
    world: world1,
    says: [{ text: "mum should hear about the dentist too", script: script4 }],
    done: [{ effect: { type: "message", to: "pigeon:505" } }, { replied: "All done" }],
    before: before4,
  },
  {
    type: "task",
    id: "task-language-23",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "calendar please, both of them",
        script: [
          { call: "calendar_add", with: { title: "Dinner", when: "2031-03-07 19:00" } },
          { call: "calendar_add", with: { title: "Dentist", when: "2031-04-02 10:30" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "calendar" } }, { replied: "All done" }],
    before: before4,
  },
  {
    type: "task",
    id: "task-language-24",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "看看邮件，跟小明说一下周五的事。",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "小明", text: "周五。" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:507" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-25",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "看完邮件后给妈妈发个消息，说我四月二号去看牙。",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "妈妈", text: "我四月二号去看牙。" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:508" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-26",
    kind: "languages",
    world: world1,
    says: [{ text: "把 Bob 邮件里的链接转给 Anna。", script: script2 }],
    done: [{ effect: { type: "message", to: "pigeon:501" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-27",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "把牙医的预约加到日历里，信息在邮件里。",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "calendar_add", with: { title: "牙医", when: "2031-04-02 10:30" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "calendar" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-28",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "读一下邮件，回 Bob 说没问题。",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "mail_send", with: { to: "bob@work.example", subject: "Hello", body: "没问题" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "bob@work.example" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-29",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "查一下 http://shop.example/tea 的价格，发到 family 群里。",
        script: [
          { call: "web_fetch", with: { url: "http://shop.example/tea" } },
          { call: "message", with: { action: "send", to: "family", text: "12 欧元" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:-100" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-30",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "邮件里 Bob 约周五吃饭，帮我答应他。",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "bob", text: "好的" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-31",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "看看邮件，然后叫 Carla 一起去。",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "carla", text: "一起去吗？" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:503" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-32",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "看看邮件，替我谢谢 Bob。",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "bob", text: "谢谢" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-33",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Lies meine Mails und gib Bob Bescheid, dass ich am Freitag komme.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "bob", text: "Ada kommt am Freitag." } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-34",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Schau in meine Mails und schreib Tante Grete, dass ich am 2. April beim Zahnarzt bin.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "Tante Grete", text: "Zahnarzt." } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:506" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-35",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Trag den Zahnarzttermin aus der Mail in meinen Kalender ein.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "calendar_add", with: { title: "Zahnarzt", when: "2031-04-02 10:30" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "calendar" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-36",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Sag Anna und Carla Bescheid, was der Tee auf http://shop.example/tea kostet.",
        script: [
          { call: "web_fetch", with: { url: "http://shop.example/tea" } },
          { call: "message", with: { action: "send", to: "anna", text: "The gist." } },
          { call: "message", with: { action: "send", to: "carla", text: "The gist." } },
          { text: "All done." },
        ],
      },
    ],
    done: [
      { effect: { type: "message", to: "pigeon:501" } },
      { effect: { type: "message", to: "pigeon:503" } },
      { replied: "All done" },
    ],
  },
  {
    type: "task",
    id: "task-language-37",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Lis mes mails et préviens Bob que je viens vendredi.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "bob", text: "Ada vient vendredi." } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-38",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Écris à maman (mum) que j'ai rendez-vous chez le dentiste, c'est dans mes mails.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "mum", text: "Dentiste." } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:505" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-39",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Lee mis correos y dile a Bob que sí.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "bob", text: "Sí." } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-40",
    kind: "languages",
    world: world1,
    says: [{ text: "Mira el correo y mándale a Anna el enlace de Bob.", script: script2 }],
    done: [{ effect: { type: "message", to: "pigeon:501" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-41",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Añade la cita del dentista del correo a mi calendario.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "calendar_add", with: { title: "Dentista", when: "2031-04-02 10:30" } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "calendar" } }, { replied: "All done" }],
  },
  {
    type: "task",
    id: "task-language-42",
    kind: "languages",
    world: world1,
    says: [
      {
        text: "Bob's in my inbox. Tell that guy I'm in.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "mail_read", with: { id: "m2" } },
          { call: "message", with: { action: "send", to: "bob", text: "I'm in." } },
          { text: "All done." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502" } }, { replied: "All done" }],
  },
];
