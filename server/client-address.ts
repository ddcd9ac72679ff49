import type { IncomingMessage } from 'node:http';
import { type Config, clientAddress, isTrusted, plainAddress, trustedProxies } from '@signalfjord/backend';

/** Creates a function for the client address of a request, which is '' if unknown. Used for rate limits. */
export function createClientAddressOf({
  TRUSTED_PROXIES,
}: Pick<Config, 'TRUSTED_PROXIES'>): (request: IncomingMessage) => string {
  const trustedAddresses = trustedProxies(TRUSTED_PROXIES);
  return ({ headers, socket }) => {
    const forwarded = new Headers({ 'x-forwarded-for': String(headers['x-forwarded-for'] ?? '') });
    return clientAddress(forwarded, socket.remoteAddress, trustedAddresses);
  };
}

/**
 * Creates a function that returns true for the socket address of a trusted proxy. The server uses the X-Forwarded-For
 * header of these proxies.
 */
export function createIsProxy({ TRUSTED_PROXIES }: Pick<Config, 'TRUSTED_PROXIES'>): (address: string) => boolean {
  const trustedAddresses = trustedProxies(TRUSTED_PROXIES);
  return (address) => isTrusted(plainAddress(address), trustedAddresses);
}
