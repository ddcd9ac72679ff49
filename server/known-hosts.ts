/**
 * Tells the names of this site from those that strangers invent, where SITE_URL names none: the Host header of a request
 * is what its sender writes. A name is known when it is this machine's own address, or when pages were asked for under it
 * from several networks.
 */

import type { IncomingMessage } from 'node:http';
import { networkPath, plainAddress } from '@signalfjord/backend';
import { LRUCache } from 'lru-cache';

/** A site has its name, one with www, and perhaps those of a test. */
const MAX_KNOWN = 8;

/** Networks that one stranger rarely has. */
const NETWORKS = 3;

/** Networks remembered with the name that they used last: a stranger who goes through many names counts for the last one. */
const MAX_HEARD = 1_000;

export class KnownHosts {
  readonly #known = new LRUCache<string, true>({ max: MAX_KNOWN });
  readonly #heard = new LRUCache<string, string>({ max: MAX_HEARD });

  /** @param client the address that the request is counted by, '' when it is not known */
  isKnown(request: Pick<IncomingMessage, 'headers' | 'socket'>, client: string): boolean {
    const host = (request.headers.host ?? '').toLowerCase();
    if (this.#known.get(host) || isOwnAddress(host, request)) return true;
    this.#heard.set(networkPath(client)[0] ?? '', host);
    const isKnown = [...this.#heard.values()].filter((name) => name === host).length >= NETWORKS;
    if (isKnown) this.#known.set(host, true);
    return isKnown;
  }
}

function isOwnAddress(host: string, { socket }: Pick<IncomingMessage, 'socket'>): boolean {
  const address = plainAddress(socket.localAddress ?? '');
  const names = address.includes(':') ? [`[${address}]`] : [address];
  return [...names, 'localhost'].some((name) => host === `${name}:${socket.localPort}` || host === name);
}
