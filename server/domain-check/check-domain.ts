import type { DomainCheck } from '../../app/data/domain-check/answer.ts';
import { checkDkim } from './dkim.ts';
import { checkDmarc } from './dmarc.ts';
import { withDns } from './dns-reader.ts';
import { checkSpf } from './spf.ts';

/** Characters of a record that are shown; RFC 7208 asks to stay below 450. */
const MAX_SHOWN = 600;

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
    const findings = await Promise.all([checkSpf(dns, domain), checkDkim(dns, domain), checkDmarc(dns, domain)]);
    return {
      domain,
      isClosed: mailServers.length === 1 && mailServers[0] === '',
      findings: findings.map((finding) => ({ ...finding, record: finding.record?.slice(0, MAX_SHOWN) ?? null })),
    };
  });
}
