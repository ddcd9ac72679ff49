/**
 * Distinguishes the host names of this site from made-up names if SITE_URL is not set, because the Host header is
 * untrusted. A name is known if it is the machine's own address, or after requests from several networks.
 */

import type { IncomingMessage } from 'node:http';
import { networkPath, unmapIpv4 } from '@signalfjord/backend';
import { LRUCache } from 'lru-cache';

/** Maximum known names. A site has its main name, a www name and perhaps a few test names. */
const MAX_KNOWN = 8;

/** Distinct networks that make a name known. An attacker usually has fewer. */
const REQUIRED_NETWORKS = 3;

/** Maximum remembered networks. Only the last name that each requested is stored, so it vouches for one name only. */
const MAX_NETWORKS = 1_000;

export class KnownHosts {
  readonly #known = new LRUCache<string, true>({ max: MAX_KNOWN });
  readonly #lastHosts = new LRUCache<string, string>({ max: MAX_NETWORKS });

  /** Checks the Host header. @param client address for rate limits, '' if unknown */
  isKnown(request: Pick<IncomingMessage, 'headers' | 'socket'>, client: string): boolean {
    const host = (request.headers.host ?? '').toLowerCase();
    if (this.#known.get(host) || isOwnAddress(host, request)) return true;
    this.#lastHosts.set(networkPath(client)[0] ?? '', host);
    const isKnown = [...this.#lastHosts.values()].filter((name) => name === host).length >= REQUIRED_NETWORKS;
    if (isKnown) this.#known.set(host, true);
    return isKnown;
  }
}

function isOwnAddress(host: string, { socket }: Pick<IncomingMessage, 'socket'>): boolean {
  const address = unmapIpv4(socket.localAddress ?? '');
  const names = address.includes(':') ? [`[${address}]`] : [address];
  return [...names, 'localhost'].some((name) => host === `${name}:${socket.localPort}` || host === name);
}
