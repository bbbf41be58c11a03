/**
 * What a device signs. The statement names the gateway and its challenge, so that the signature is worthless at
 * another gateway or on another connection. It also names the requested role, so that nobody in between can raise it.
 */
export const deviceStatement = (about: {
  gatewayId: string;
  challenge: string;
  publicKey: string;
  wants: string;
}): string =>
  ["pincer device 1", about.gatewayId, about.challenge, about.publicKey, about.wants]
    .map((part) => JSON.stringify(part))
    .join("\n");
