/**
 * Limits open connections per network, so that one client cannot use all file descriptors. Trusted proxies are exempt,
 * because they carry many visitors.
 */

import type { Server, Socket } from 'node:net';
import { networkPath, unmapIpv4 } from '@signalfjord/backend';

/** Per IPv4 address or IPv6 /64. A browser opens six, so 80 people can share an address. */
const MAX_PER_ADDRESS = 512;

/** Per IPv4 /24 or IPv6 /48. */
const MAX_PER_NETWORK = 2048;

export class OpenConnections {
  readonly #isProxy: (address: string) => boolean;
  readonly #counts = new Map<string, number>();
  #open = 0;
  #refused = 0;

  constructor(isProxy: (address: string) => boolean) {
    this.#isProxy = isProxy;
  }

  /** Closes connections over the limit of their network before anything is read. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const remoteAddress = unmapIpv4(socket.remoteAddress ?? '');
      const networks = this.#isProxy(remoteAddress) ? [] : networkPath(remoteAddress);
      if (networks.some((network, index) => this.#isFull(network, index === networks.length - 1))) {
        this.#refused++;
        socket.resetAndDestroy();
        return;
      }
      this.#count(networks, 1);
      socket.once('close', () => this.#count(networks, -1));
    });
  }

  stats(): { open: number; refused: number } {
    return { open: this.#open, refused: this.#refused };
  }

  #isFull(network: string, isAddress: boolean): boolean {
    return (this.#counts.get(network) ?? 0) >= (isAddress ? MAX_PER_ADDRESS : MAX_PER_NETWORK);
  }

  #count(networks: readonly string[], change: 1 | -1): void {
    this.#open += change;
    for (const network of networks) {
      const count = (this.#counts.get(network) ?? 0) + change;
      if (count === 0) this.#counts.delete(network);
      else this.#counts.set(network, count);
    }
  }
}
