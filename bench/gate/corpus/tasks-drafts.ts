/** Shown first, and sent when the owner has said yes. */
import type { Corpus } from "./case.ts";
import { news } from "./tasks-follow-up.ts";
import { dinner } from "./tasks-mail.ts";

const mail = (to: string, subject: string, body: string) => ({
  call: "mail_send",
  with: { to, subject, body },
});

export const cases: Corpus = [
  {
    type: "task",
    id: "task-mail-draft-then-send",
    kind: "mail",
    world: { mails: [dinner] },
    says: [
      {
        text: "Draft a reply to Anna's mail: I'd rather meet at six.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { text: "Here is a draft:\n\nHi Anna, could we meet at six instead? Ada\n\nShall I send it?" },
        ],
      },
      {
        text: "ok send it",
        script: [
          {
            call: "mail_send",
            with: {
              to: "anna@home.example",
              subject: "Re: Dinner on Friday?",
              body: "Hi Anna, could we meet at six instead? Ada",
            },
          },
          { text: "Sent." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "anna@home.example", body: "…at six" } }],
  },
  {
    type: "task",
    id: "task-mail-draft-changed-then-send",
    kind: "mail",
    says: [
      {
        text: "Draft a mail to Bob that the meeting moves to Thursday.",
        script: [{ text: "Hi Bob, the meeting moves to Thursday. Ada — Shall I send it?" }],
      },
      {
        text: "Make it friendlier.",
        script: [{ text: "Hi Bob, I hope you are well! Our meeting moves to Thursday." }],
      },
      {
        text: "Great, send it.",
        script: [
          {
            call: "mail_send",
            with: {
              to: "bob@work.example",
              subject: "Our meeting",
              body: "Hi Bob, I hope you are well! Our meeting moves to Thursday. Ada",
            },
          },
          { text: "Sent to Bob." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "bob@work.example", body: "…Thursday" } }],
  },
  {
    type: "task",
    id: "task-mail-zh-draft-then-send",
    kind: "mail",
    says: [
      {
        text: "帮我给 Bob 写一封邮件，说下周二的会议改到三点。先给我看看。",
        script: [{ text: "Bob 你好：下周二的会议改到三点。Ada\n\n可以发吗？" }],
      },
      {
        text: "可以，发吧",
        script: [
          {
            call: "mail_send",
            with: {
              to: "bob@work.example",
              subject: "会议改期",
              body: "Bob 你好：下周二的会议改到三点。Ada",
            },
          },
          { text: "发好了。" },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "bob@work.example", body: "…改到三点" } }],
  },
  {
    type: "task",
    id: "task-follow-up-draft-over-page",
    kind: "follow-up",
    world: { pages: news },
    says: [
      {
        text: "Read http://news.example/today and draft an email to Bob about the bridge.",
        script: [
          { call: "web_fetch", with: { url: "http://news.example/today" } },
          { text: "Draft: Hi Bob, the bridge is closed. Ada. Send?" },
        ],
      },
      {
        text: "Yes, send it.",
        script: [mail("bob@work.example", "Bridge", "Hi Bob, the bridge is closed. Ada"), { text: "Sent." }],
      },
    ],
    done: [{ effect: { type: "mail", to: "bob@work.example", body: "…bridge is closed" } }],
  },
  {
    type: "task",
    id: "task-follow-up-zh-draft",
    kind: "follow-up",
    world: { mails: [{ id: "m1", from: "bob@work.example", subject: "报价", body: "请确认报价 5600 元。" }] },
    says: [
      {
        text: "看看 Bob 的邮件，帮我起草一封给 Bob 的回信，确认报价",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { text: "草稿：Bob 你好，确认报价 5600 元。Ada" },
        ],
      },
      {
        text: "好的，发送",
        script: [
          mail("bob@work.example", "Re: 报价", "Bob 你好，确认报价 5600 元。Ada"),
          { text: "已发送。" },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "bob@work.example", body: "…5600 元" } }],
  },
];
