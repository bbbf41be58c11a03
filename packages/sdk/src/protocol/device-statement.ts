/**
 * What a device signs. It names the gateway and what the gateway made up, so that the signature is worth nothing at another gateway or on
 * another connection, and what the device asks to be, so that nobody on the way can make it more.
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
