import type { IncomingMessage } from 'node:http';
import type { Config } from '../backend/config.ts';
import { clientAddress, trustedProxies } from '../backend/http/rate-limit.ts';

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
