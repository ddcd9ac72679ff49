/**
 * How much of request bodies is in memory at once, over all connections: what is being read, and what waits with its
 * request for the database. The limit of one body says nothing about a thousand of them.
 */
import { networkKeys } from '../fairness/networks.ts';

const MEGABYTE = 1024 * 1024;

/** Bytes as they were sent; parsed they take several times as much. */
const OF_ALL = 128 * MEGABYTE;
/** Room for one body of a signed-in person and a few beside it, so that one network leaves room for the others. */
const OF_NETWORK = 24 * MEGABYTE;

export interface HeldBody {
  /** Counts bytes that arrived. @returns false when there is no room for them */
  add(bytes: number): boolean;
  /** To be called when the request has ended. */
  release(): void;
}

export interface HeldBodies {
  /** For one request from that address; '' is the service's, whose bodies are not counted. */
  hold(address: string): HeldBody;
}

export function countHeldBodies(): HeldBodies {
  let total = 0;
  const byNetwork = new Map<string, number>();

  function count(networks: readonly string[], bytes: number): void {
    total += bytes;
    for (const network of networks) {
      const held = (byNetwork.get(network) ?? 0) + bytes;
      if (held > 0) byNetwork.set(network, held);
      else byNetwork.delete(network);
    }
  }

  return {
    hold(address) {
      if (address === '') return { add: () => true, release: () => undefined };
      const networks = networkKeys(address).filter((key) => key !== undefined);
      let own = 0;
      return {
        add(bytes) {
          const isShareUsed = networks.some((network) => (byNetwork.get(network) ?? 0) + bytes > OF_NETWORK);
          if (isShareUsed || total + bytes > OF_ALL) return false;
          own += bytes;
          count(networks, bytes);
          return true;
        },
        release() {
          count(networks, -own);
          own = 0;
        },
      };
    },
  };
}
