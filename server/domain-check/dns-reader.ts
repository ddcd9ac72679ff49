/** DNS lookups for one domain check. They only query resolvers and never connect to the domain itself. */
import { Resolver } from 'node:dns/promises';

/** Timeout in ms for each of the two tries of a resolver. */
const ATTEMPT_TIMEOUT_MS = 1000;

/** Timeout in ms for all lookups of one check. */
const CHECK_TIMEOUT_MS = 6000;

/** Thrown if a resolver fails or does not respond. */
export class DnsUnavailableError extends Error {}

export interface DnsReader {
  /**
   * Returns the TXT records of a name, each as a single string, or null if the name does not exist.
   * @throws DnsUnavailableError
   */
  readTexts(name: string): Promise<string[] | null>;
  /**
   * Returns the MX hosts, or null if the name does not exist. '' is a null MX (RFC 7505).
   * @throws DnsUnavailableError
   */
  readMailServers(name: string): Promise<string[] | null>;
}

/**
 * Runs `work` with a DNS reader, then cancels its pending lookups.
 * @param servers resolvers to query. If empty, the resolvers of this machine are used
 */
export async function withDns<Result>(
  servers: readonly string[],
  work: (dns: DnsReader) => Promise<Result>,
): Promise<Result> {
  const resolver = new Resolver({ timeout: ATTEMPT_TIMEOUT_MS, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  let hasEnded = false;
  const cancel = () => {
    hasEnded = true;
    resolver.cancel();
  };
  const timer = setTimeout(cancel, CHECK_TIMEOUT_MS);

  async function read<Entry>(query: () => Promise<Entry[]>): Promise<Entry[] | null> {
    if (hasEnded) throw new DnsUnavailableError('The domain check timed out');
    try {
      return await query();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'ENODATA') return [];
      if (code === 'ENOTFOUND' || code === 'EBADNAME') return null;
      throw new DnsUnavailableError('A DNS resolver did not respond', { cause: error });
    }
  }

  try {
    return await work({
      readTexts: (name) => read(async () => (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))),
      readMailServers: (name) => read(async () => (await resolver.resolveMx(name)).map(({ exchange }) => exchange)),
    });
  } finally {
    clearTimeout(timer);
    cancel();
  }
}
