import type { DomainCheck, DomainFinding } from '../../app/site/domain-check/answer.ts';
import { checkDkim } from './dkim.ts';
import { checkDmarc } from './dmarc.ts';
import { withDns } from './dns-reader.ts';
import { checkSpf } from './spf.ts';

/** Characters of a record that are shown; RFC 7208 asks to stay below 450. */
const MAX_SHOWN = 600;

/** Finding for a domain that neither receives nor sends mail. */
const UNSIGNED: DomainFinding = {
  name: 'DKIM',
  state: 'good',
  sentence: 'This domain sends no email, so it needs no DKIM key.',
  record: null,
};

/**
 * Reads what the DNS says about mail of a domain.
 * @param servers resolvers to ask; none: those of this machine
 * @returns null when there is no such domain
 * @throws DnsAwayError
 */
export async function checkDomain(domain: string, servers: readonly string[]): Promise<DomainCheck | null> {
  return withDns(servers, async (dns) => {
    const mailServers = await dns.readMailServers(domain);
    if (mailServers === null) return null;
    const isClosed = mailServers.length === 1 && mailServers[0] === '';
    const [spf, dkim, dmarc] = await Promise.all([
      checkSpf(dns, domain),
      checkDkim(dns, domain),
      checkDmarc(dns, domain),
    ]);
    const isParked = isClosed && /^v=spf1 +-all$/i.test(spf.record ?? '');
    return {
      domain,
      isClosed,
      findings: [spf, isParked ? UNSIGNED : dkim, dmarc].map((finding) => ({
        ...finding,
        record: finding.record?.slice(0, MAX_SHOWN) ?? null,
      })),
    };
  });
}
