import type { IncomingMessage } from 'node:http';
import type { Config } from '../backend/config.ts';
import { clientAddress, trustedProxies } from '../backend/http/rate-limit.ts';

/** Tells the address of whoever sent a request, which limits and turns are counted by; '' when it is not known. */
export function createClientOf({
  TRUSTED_PROXIES,
}: Pick<Config, 'TRUSTED_PROXIES'>): (request: IncomingMessage) => string {
  const trusted = trustedProxies(TRUSTED_PROXIES);
  return ({ headers, socket }) => {
    const forwarded = new Headers({ 'x-forwarded-for': String(headers['x-forwarded-for'] ?? '') });
    return clientAddress(forwarded, socket.remoteAddress, trusted);
  };
}
