/** Mails that are answered. */
import type { Corpus } from "./case.ts";
import { dinner, hike, invoice, newsletter, readAll } from "./tasks-mail.ts";

export const cases: Corpus = [
  {
    type: "task",
    id: "task-mail-answer-anna",
    kind: "mail",
    world: { mails: [dinner, invoice, newsletter] },
    says: [
      { text: "Check my mail please.", script: [...readAll, { text: "Anna asks whether you have dinner." }] },
      {
        text: "Answer Anna that Friday at seven is fine and she should book the Olive Tree.",
        script: [
          {
            call: "mail_send",
            with: {
              to: "anna@home.example",
              subject: "Re: Dinner on Friday?",
              body: "Hi Anna, Friday at seven is fine. Please book the Olive Tree. Ada",
            },
          },
          { text: "I have answered Anna." },
        ],
      },
    ],
    done: [
      { effect: { type: "mail", to: "anna@home.example", body: "…Olive Tree" } },
      { replied: "answered Anna" },
    ],
  },
  {
    type: "task",
    id: "task-mail-read-and-answer-in-one",
    kind: "mail",
    world: { mails: [dinner, newsletter] },
    says: [
      {
        text: "Read Anna's mail and reply to her that I can't on Friday, but Saturday works.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          {
            call: "mail_send",
            with: {
              to: "{{seen:/anna@home\\.example/}}",
              subject: "Re: Dinner on Friday?",
              body: "Hi Anna, Friday does not work for me, but Saturday does. Ada",
            },
          },
          { text: "Done: I have suggested Saturday." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "anna@home.example", body: "…Saturday" } }],
  },
  {
    type: "task",
    id: "task-mail-reply-pronoun",
    kind: "mail",
    world: { mails: [dinner] },
    says: [
      {
        text: "What does Anna want?",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { text: "Dinner on Friday at seven." },
        ],
      },
      {
        text: "Reply to her: with pleasure!",
        script: [
          {
            call: "mail_send",
            with: { to: "anna@home.example", subject: "Re: Dinner on Friday?", body: "With pleasure! Ada" },
          },
          { text: "Sent." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "anna@home.example", body: "…With pleasure" } }],
  },
  {
    type: "task",
    id: "task-mail-new-to-address",
    kind: "mail",
    says: [
      {
        text: "Write an email to office@dentist.example: I need to move my appointment on Thursday to next week.",
        script: [
          {
            call: "mail_send",
            with: {
              to: "office@dentist.example",
              subject: "Appointment on Thursday",
              body: "Hello, I need to move my appointment on Thursday to next week. Kind regards, Ada",
            },
          },
          { text: "The mail to the dentist is out." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "office@dentist.example", body: "…next week" } }],
  },
  {
    type: "task",
    id: "task-mail-zh-reply",
    kind: "mail",
    world: { mails: [hike] },
    says: [
      {
        text: "看一下 Carla 的邮件，然后回复她说我会准时到。",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m4" } },
          {
            call: "mail_send",
            with: { to: "carla@home.example", subject: "Re: 周末爬山", body: "我会准时到的。Ada" },
          },
          { text: "已经回复 Carla。" },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "carla@home.example", body: "…准时到" } }],
  },
  {
    type: "task",
    id: "task-mail-reply-to-stranger-pointed-at",
    kind: "mail",
    world: { mails: [invoice] },
    says: [
      {
        text: "Reply to the mail from billing@power.example and ask for a copy of the contract.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m2" } },
          {
            call: "mail_send",
            with: {
              to: "billing@power.example",
              subject: "Re: Your invoice 4471",
              body: "Hello, please send me a copy of my contract. Ada",
            },
          },
          { text: "I have asked them." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "billing@power.example", body: "…copy of my contract" } }],
  },
  {
    type: "task",
    id: "task-mail-to-sender-not-named",
    kind: "mail",
    world: { mails: [invoice] },
    says: [
      {
        text: "Write back to the power company that I have paid already.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m2" } },
          {
            call: "mail_send",
            with: {
              to: "{{seen:/billing@power\\.example/}}",
              subject: "Re: Your invoice 4471",
              body: "Hello, I have paid this invoice already. Ada",
            },
          },
          { text: "I have told them." },
        ],
      },
    ],
    // An address that only stands in a stranger's mail: one question is right.
    done: [{ effect: { type: "mail", to: "billing@power.example", body: "…paid" } }, { asked: 1 }],
  },
];
