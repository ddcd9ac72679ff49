import type { IncomingMessage } from 'node:http';
import { type Config, clientAddress, isTrusted, plainAddress, trustedProxies } from '@signalfjord/backend';

/**
 * Returns a function that tells the address of a request's sender, by which limits and turns are counted; '' when it is
 * not known.
 */
export function createClientAddressOf({
  TRUSTED_PROXIES,
}: Pick<Config, 'TRUSTED_PROXIES'>): (request: IncomingMessage) => string {
  const trusted = trustedProxies(TRUSTED_PROXIES);
  return ({ headers, socket }) => {
    const forwarded = new Headers({ 'x-forwarded-for': String(headers['x-forwarded-for'] ?? '') });
    return clientAddress(forwarded, socket.remoteAddress, trusted);
  };
}

/** Returns a function that tells whether an address of a socket is that of a proxy, whose X-Forwarded-For is believed. */
export function createIsProxy({ TRUSTED_PROXIES }: Pick<Config, 'TRUSTED_PROXIES'>): (address: string) => boolean {
  const trusted = trustedProxies(TRUSTED_PROXIES);
  return (address) => isTrusted(plainAddress(address), trusted);
}
