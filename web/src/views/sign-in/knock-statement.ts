/** What a browser signs that asks to be let in: the statement of a device, as the protocol has it. */
export const knockStatement = (about: {
  gatewayId: string;
  challenge: string;
  publicKey: string;
  wants: string;
}): string =>
  ["pincer device 1", about.gatewayId, about.challenge, about.publicKey, about.wants]
    .map((part) => JSON.stringify(part))
    .join("\n");
