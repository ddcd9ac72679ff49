import type { IncomingMessage } from 'node:http';
import { type Config, clientAddress, isTrusted, plainAddress, trustedProxies } from '@signalfjord/backend';

/** Returns a function that returns the client address of a request for rate limits, or '' if unknown. */
export function createClientAddressOf({
  TRUSTED_PROXIES,
}: Pick<Config, 'TRUSTED_PROXIES'>): (request: IncomingMessage) => string {
  const trusted = trustedProxies(TRUSTED_PROXIES);
  return ({ headers, socket }) => {
    const forwarded = new Headers({ 'x-forwarded-for': String(headers['x-forwarded-for'] ?? '') });
    return clientAddress(forwarded, socket.remoteAddress, trusted);
  };
}

/** Returns a function that checks whether a socket address is a trusted proxy, whose X-Forwarded-For header is used. */
export function createIsProxy({ TRUSTED_PROXIES }: Pick<Config, 'TRUSTED_PROXIES'>): (address: string) => boolean {
  const trusted = trustedProxies(TRUSTED_PROXIES);
  return (address) => isTrusted(plainAddress(address), trusted);
}
