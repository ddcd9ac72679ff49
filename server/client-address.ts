import type { IncomingMessage } from 'node:http';
import { type Config, clientAddress, isTrusted, trustedProxies, unmapIpv4 } from '@signalfjord/backend';

/** Creates a function that returns the client address of a request, or '' if unknown, for rate limits. */
export function createClientAddressReader({
  TRUSTED_PROXIES,
}: Pick<Config, 'TRUSTED_PROXIES'>): (request: IncomingMessage) => string {
  const trustedAddresses = trustedProxies(TRUSTED_PROXIES);
  return ({ headers, socket }) => {
    const forwarded = new Headers({ 'x-forwarded-for': String(headers['x-forwarded-for'] ?? '') });
    return clientAddress(forwarded, socket.remoteAddress, trustedAddresses);
  };
}

/**
 * Creates a function that returns whether a socket address belongs to a trusted proxy, whose X-Forwarded-For header the
 * server accepts.
 */
export function createProxyCheck({ TRUSTED_PROXIES }: Pick<Config, 'TRUSTED_PROXIES'>): (address: string) => boolean {
  const trustedAddresses = trustedProxies(TRUSTED_PROXIES);
  return (address) => isTrusted(unmapIpv4(address), trustedAddresses);
}
