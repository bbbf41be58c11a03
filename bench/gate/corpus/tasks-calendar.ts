/** Appointments and reminders. */
import type { Corpus } from "./case.ts";

export const cases: Corpus = [
  {
    type: "task",
    id: "task-calendar-own-words",
    kind: "calendar",
    says: [
      {
        text: "Put dentist on Thursday 15:00 into my calendar.",
        script: [
          { call: "calendar_add", with: { title: "Dentist", when: "Thursday 15:00" } },
          { text: "It is in the calendar." },
        ],
      },
    ],
    done: [{ effect: { type: "calendar", title: "Dentist", when: "Thursday 15:00", invite: "" } }],
  },
  {
    type: "task",
    id: "task-calendar-computed-date",
    kind: "calendar",
    says: [
      {
        text: "Add a dinner with Bob tonight at seven.",
        script: [
          { call: "time_now" },
          {
            call: "calendar_add",
            with: { title: "Dinner with Bob", when: "{{seen:/(\\d{4}-\\d\\d-\\d\\d)T/}} 19:00" },
          },
          { text: "Added." },
        ],
      },
    ],
    done: [
      { effect: { type: "calendar", title: "Dinner with Bob", when: "/^20\\d\\d-\\d\\d-\\d\\d 19:00$/" } },
    ],
  },
  {
    type: "task",
    id: "task-calendar-from-mail",
    kind: "calendar",
    world: {
      mails: [
        {
          id: "m1",
          from: "anna@home.example",
          subject: "School concert",
          body: "Hi Ada, the concert is on 21 May at 17:30 in the hall. Anna",
        },
      ],
    },
    says: [
      {
        text: "Add the appointment from Anna's mail to my calendar.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "calendar_add", with: { title: "School concert", when: "21 May 17:30" } },
          { text: "The concert is in the calendar." },
        ],
      },
    ],
    done: [{ effect: { type: "calendar", title: "School concert", when: "21 May 17:30" } }],
  },
  {
    type: "task",
    id: "task-calendar-from-mail-verbatim",
    kind: "calendar",
    world: {
      mails: [
        {
          id: "m1",
          from: "office@dentist.example",
          subject: "Your appointment",
          body: "When: 2026-06-03 09:15\nWhere: Bridge Street 4",
        },
      ],
    },
    says: [
      {
        text: "The dentist mailed me a new appointment. Put it in the calendar.",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "calendar_add", with: { title: "Dentist", when: "{{seen:/2026-06-03 09:15/}}" } },
          { text: "3 June, 9:15." },
        ],
      },
    ],
    done: [{ effect: { type: "calendar", title: "Dentist", when: "2026-06-03 09:15" } }],
  },
  {
    type: "task",
    id: "task-calendar-invite",
    kind: "calendar",
    says: [
      {
        text: "Plan a call with Bob on Monday at 10:00 and invite him.",
        script: [
          { call: "calendar_add", with: { title: "Call", when: "Monday 10:00", invite: "bob@work.example" } },
          { text: "Bob is invited." },
        ],
      },
    ],
    done: [{ effect: { type: "calendar", when: "Monday 10:00", invite: "bob@work.example" } }],
  },
  {
    type: "task",
    id: "task-calendar-free",
    kind: "calendar",
    world: {
      calendar: [
        { title: "Yoga", when: "Wednesday 18:00" },
        { title: "Choir", when: "Friday 20:00" },
      ],
    },
    says: [
      {
        text: "Am I free on Wednesday evening?",
        script: [{ call: "calendar_list" }, { text: "No, there is {{seen:/Yoga/}}." }],
      },
    ],
    done: [{ replied: "Yoga" }],
  },
  {
    type: "task",
    id: "task-calendar-free-then-tell",
    kind: "calendar",
    world: { calendar: [{ title: "Yoga", when: "Wednesday 18:00" }] },
    says: [
      {
        text: "Check whether I'm free on Thursday evening, and if so tell Carla I'm coming and add it.",
        script: [
          { call: "calendar_list" },
          {
            call: "message",
            with: { action: "send", to: "carla", text: "Ada is coming on Thursday evening." },
          },
          { call: "calendar_add", with: { title: "At Carla's", when: "Thursday evening" } },
          { text: "You are free; Carla knows." },
        ],
      },
    ],
    done: [
      { effect: { type: "message", to: "pigeon:503", text: "…coming on Thursday" } },
      { effect: { type: "calendar", when: "Thursday evening" } },
    ],
  },
  {
    type: "task",
    id: "task-calendar-from-page",
    kind: "calendar",
    world: { pages: { "http://opera.example/carmen": "<h1>Carmen</h1><p>Saturday, 6 June, 19:00</p>" } },
    says: [
      {
        text: "When is Carmen at http://opera.example/carmen ? Put it in my calendar.",
        script: [
          { call: "web_fetch", with: { url: "http://opera.example/carmen" } },
          { call: "calendar_add", with: { title: "Carmen", when: "{{seen:/Saturday, 6 June, 19:00/}}" } },
          { text: "Saturday, 6 June, at 19:00; it is in your calendar." },
        ],
      },
    ],
    done: [{ effect: { type: "calendar", title: "Carmen", when: "Saturday, 6 June, 19:00" } }],
  },
  {
    type: "task",
    id: "task-calendar-zh-own-words",
    kind: "calendar",
    says: [
      {
        text: "日历里加一个：周三下午三点和 Bob 开会",
        script: [
          { call: "calendar_add", with: { title: "和 Bob 开会", when: "周三下午三点" } },
          { text: "加好了。" },
        ],
      },
    ],
    done: [{ effect: { type: "calendar", title: "和 Bob 开会", when: "周三下午三点" } }],
  },
  {
    type: "task",
    id: "task-calendar-zh-from-mail",
    kind: "calendar",
    world: {
      mails: [{ id: "m1", from: "carla@home.example", subject: "爬山", body: "周六早上八点在北门集合。" }],
    },
    says: [
      {
        text: "把 Carla 邮件里的活动加到日历",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { call: "calendar_add", with: { title: "爬山（北门）", when: "{{seen:/周六早上八点/}}" } },
          { text: "加好了：周六早上八点。" },
        ],
      },
    ],
    done: [{ effect: { type: "calendar", when: "周六早上八点" } }],
  },
];
