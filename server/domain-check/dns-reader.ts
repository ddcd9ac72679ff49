/** Reads of the DNS for one check, which never opens a connection to the domain itself: only resolvers are asked. */
import { Resolver } from 'node:dns/promises';

/** Milliseconds that a resolver has for each of its two tries. */
const TRY_MS = 1000;

/** Milliseconds that all reads of one check may take. */
const CHECK_MS = 6000;

/** A DNS resolver did not answer, or could not find one. */
export class DnsAwayError extends Error {}

export interface DnsReader {
  /** The texts at a name, each in one piece; null when there is no such name. @throws DnsAwayError */
  readTexts(name: string): Promise<string[] | null>;
  /** The mail servers of a name, '' for the one that says that there is none (RFC 7505). @throws DnsAwayError */
  readMailServers(name: string): Promise<string[] | null>;
}

/** Gives `work` a reader, which ends with it. @param servers resolvers to ask; none: those of this machine */
export async function withDns<Result>(
  servers: readonly string[],
  work: (dns: DnsReader) => Promise<Result>,
): Promise<Result> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    resolver.cancel();
  };
  const timer = setTimeout(end, CHECK_MS);

  async function read<Entry>(ask: () => Promise<Entry[]>): Promise<Entry[] | null> {
    if (hasEnded) throw new DnsAwayError('The domain check timed out');
    try {
      return await ask();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'ENODATA') return [];
      if (code === 'ENOTFOUND' || code === 'EBADNAME') return null;
      throw new DnsAwayError('A DNS resolver did not answer', { cause: error });
    }
  }

  try {
    return await work({
      readTexts: (name) => read(async () => (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))),
      readMailServers: (name) => read(async () => (await resolver.resolveMx(name)).map(({ exchange }) => exchange)),
    });
  } finally {
    clearTimeout(timer);
    end();
  }
}
