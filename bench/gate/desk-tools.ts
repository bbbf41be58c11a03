/** A mailbox, a calendar, a bank and a lamp: tools as somebody else would add them to the product. */
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
      resultOrigin: "tool",
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
      resultOrigin: "tool",
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
      resultOrigin: "tool",
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
      name: "calendar_move",
      effect: "act",
      controls: { title: "value", when: "schedule" },
      leaves: ["title"],
      description: "Move an entry of the calendar to another time.",
      input: Type.Object({ title: Type.String(), when: Type.String() }),
      async run({ title, when }) {
        record({ type: "calendar", title, when, invite: "" });
        return { text: `moved to ${when}: ${title}` };
      },
    }),
    defineTool({
      name: "reminder_add",
      effect: "act",
      controls: { when: "schedule" },
      leaves: [],
      description: "Remind the owner of something later.",
      input: Type.Object({ text: Type.String(), when: Type.String() }),
      async run(reminder) {
        record({ type: "service", tool: "reminder_add", words: JSON.stringify(reminder) });
        return { text: `will remind at ${reminder.when}` };
      },
    }),
    defineTool({
      name: "bank_transfer",
      effect: "act",
      controls: { account: "recipient", amount: "value" },
      leaves: ["reference"],
      description: "Transfer money to an account.",
      input: Type.Object({ account: Type.String(), amount: Type.String(), reference: Type.String() }),
      async run(transfer) {
        record({ type: "service", tool: "bank_transfer", words: JSON.stringify(transfer) });
        return { text: `transferred ${transfer.amount} to ${transfer.account}` };
      },
    }),
    // It declares nothing, as most tools of other people do.
    defineTool({
      name: "lamp_set",
      effect: "act",
      description: "Set a lamp of the house.",
      input: Type.Object({ lamp: Type.String(), state: Type.String() }),
      async run(lamp) {
        record({ type: "service", tool: "lamp_set", words: JSON.stringify(lamp) });
        return { text: `${lamp.lamp}: ${lamp.state}` };
      },
    }),
    defineTool({
      name: "parcel_status",
      effect: "read",
      controls: {},
      resultOrigin: "tool",
      description: "Where a parcel is.",
      input: Type.Object({ id: Type.String() }),
      async run({ id }) {
        if (parcelError !== "") throw new Error(`the parcel service said: ${parcelError}`);
        return { from: "the parcel service", text: `${id} is on its way` };
      },
    }),
  ];
}
