import type { IncomingMessage } from 'node:http';
import type { Config } from '../backend/config.ts';
import { clientAddress, trustedProxies } from '../backend/http/rate-limit.ts';
import { createAddressLimit } from './address-limit.ts';

/** Pages of the news with a search, a filter or a number: more of them than anybody could keep, each of which reads. */
const SEARCHED = /^\/news\/?\?/;

const PER_MINUTE = 60;

/**
 * Whether this page may be rendered for whoever asks. The table API counts the database time of each network; pages are
 * rendered in the name of nobody, so where each of endless addresses costs a search, renders are counted.
 */
export function createSearchLimit(
  config: Pick<Config, 'TRUSTED_PROXIES' | 'RATE_LIMITS'>,
): (request: IncomingMessage, url: string) => boolean {
  if (!config.RATE_LIMITS) return () => true;
  const trusted = trustedProxies(config.TRUSTED_PROXIES);
  const isWithinLimit = createAddressLimit(PER_MINUTE);
  return ({ headers, socket }, url) => {
    if (!SEARCHED.test(url)) return true;
    const forwarded = new Headers({ 'x-forwarded-for': String(headers['x-forwarded-for'] ?? '') });
    return isWithinLimit(clientAddress(forwarded, socket.remoteAddress, trusted));
  };
}
