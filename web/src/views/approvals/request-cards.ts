/** Requests as the cards on which they are asked: alone, or together with others of the same answer. Pure. */
import type { ApprovalScope, ApprovalView } from "@pincer/sdk";

/** In the order of their numbers. */
export type RequestCard = readonly [ApprovalView, ...ApprovalView[]];

/** In the order of the first request of each. */
export function cardsOf(approvals: readonly ApprovalView[]): RequestCard[] {
  const cards = new Map<string, ApprovalView[]>();
  for (const approval of approvals) {
    const id = cardId(approval);
    cards.set(id, [...(cards.get(id) ?? []), approval]);
  }
  return [...cards.values()].flatMap((card) => {
    const [first, ...rest] = card.toSorted((one, other) => numberOf(one) - numberOf(other));
    return first ? [[first, ...rest] as const] : [];
  });
}

/** By which all of it is answered. */
export const cardId = ({ id, card }: Pick<ApprovalView, "id" | "card">): string => card?.id ?? id;

/** What is left of a card when the rest was answered is answered by itself. */
export const answerId = (card: RequestCard): string => (card.length > 1 ? cardId(card[0]) : card[0].id);

export const numberOf = ({ card }: Pick<ApprovalView, "card">): number => card?.number ?? 1;

/** What is always allowed from now on is decided one by one. */
export const jointScopes = ["once", "task", "while"] as const satisfies ApprovalScope[];

/** What all of it offers. */
export const scopesOfAll = (card: RequestCard): Array<(typeof jointScopes)[number]> =>
  jointScopes.filter((scope) => card.every(({ scopes }) => scopes.includes(scope)));
