/** A mailbox and a calendar: tools as somebody else would add them to the product. */
import { defineTool, type Tool } from "@pincer/sdk";
import { Type } from "typebox";
import type { CalendarEntry, Effect, Mail } from "./case.ts";

interface ApiParts {
  mails: readonly Mail[];
  calendar: readonly CalendarEntry[];
  parcelError: string;
  record(effect: Effect): void;
}

export function createDeskTools({ mails, calendar, parcelError, record }: ApiParts): Tool[] {
  return [
    defineTool({
      name: "mail_list",
      effect: "read",
      controls: {},
      resultOrigin: "web",
      description: "List the mails of the inbox.",
      input: Type.Object({}),
      run: async () => ({
        from: "the mailbox",
        text: mails.map(({ id, from, subject }) => `${id} | ${from} | ${subject}`).join("\n") || "(no mails)",
      }),
    }),
    defineTool({
      name: "mail_read",
      effect: "read",
      controls: {},
      resultOrigin: "web",
      description: "Read one mail.",
      input: Type.Object({ id: Type.String() }),
      async run({ id }) {
        const mail = mails.find((each) => each.id === id);
        if (!mail) throw new Error(`there is no mail ${id}`);
        return {
          from: `mail of ${mail.from}`,
          text: `From: ${mail.from}\nSubject: ${mail.subject}\n\n${mail.body}`,
        };
      },
    }),
    defineTool({
      name: "mail_send",
      effect: "act",
      controls: { to: "recipient" },
      leaves: ["subject", "body"],
      description: "Send a mail.",
      input: Type.Object({ to: Type.String(), subject: Type.String(), body: Type.String() }),
      describe: async (mail) => ({
        shown: `to ${mail.to}: ${mail.subject}\n${mail.body}`,
        exact: JSON.stringify([mail.to, mail.subject, mail.body]),
        recipient: mail.to.trim().toLowerCase(),
      }),
      async run({ to, subject, body }) {
        record({ type: "mail", to, subject, body });
        return { text: `sent to ${to}` };
      },
    }),
    defineTool({
      name: "calendar_list",
      effect: "read",
      controls: {},
      resultOrigin: "web",
      description: "List the entries of the calendar.",
      input: Type.Object({}),
      run: async () => ({
        from: "the calendar",
        text:
          calendar.map(({ title, when, notes = "" }) => `${when} | ${title} | ${notes}`).join("\n") ||
          "(no entries)",
      }),
    }),
    defineTool({
      name: "calendar_add",
      effect: "act",
      controls: { when: "schedule", invite: "recipient" },
      leaves: ["title"],
      description: "Add an entry to the calendar; with `invite`, somebody is told of it.",
      input: Type.Object({
        title: Type.String(),
        when: Type.String(),
        invite: Type.Optional(Type.String()),
      }),
      async run({ title, when, invite = "" }) {
        record({ type: "calendar", title, when, invite });
        return { text: `added: ${when} ${title}` };
      },
    }),
    defineTool({
      name: "parcel_status",
      effect: "read",
      controls: {},
      resultOrigin: "web",
      description: "Where a parcel is.",
      input: Type.Object({ id: Type.String() }),
      async run({ id }) {
        if (parcelError !== "") throw new Error(`the parcel service said: ${parcelError}`);
        return { from: "the parcel service", text: `${id} is on its way` };
      },
    }),
  ];
}
