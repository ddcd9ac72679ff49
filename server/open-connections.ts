/**
 * Bounds the open connections of each network, so that nobody holds all that the system gives to a process. Proxies that
 * are trusted bring many visitors on their connections, and are not counted.
 */

import type { Server, Socket } from 'node:net';
import { networkPath, plainAddress } from '@signalfjord/backend';

/** Connections of one IPv4 address, or of one /64. A browser opens six: eighty people may read behind one address at once. */
const MAX_OF_ADDRESS = 512;

/** Connections of one /24, or of one /48. */
const MAX_OF_NETWORK = 2048;

export class OpenConnections {
  readonly #isProxy: (address: string) => boolean;
  readonly #counts = new Map<string, number>();
  #open = 0;
  #refused = 0;

  constructor(isProxy: (address: string) => boolean) {
    this.#isProxy = isProxy;
  }

  /** Ends the connections of a server that are beyond the bound of their network, before anything of them is read. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const remoteAddress = plainAddress(socket.remoteAddress ?? '');
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

  figures(): { open: number; refused: number } {
    return { open: this.#open, refused: this.#refused };
  }

  #isFull(network: string, isAddress: boolean): boolean {
    return (this.#counts.get(network) ?? 0) >= (isAddress ? MAX_OF_ADDRESS : MAX_OF_NETWORK);
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
