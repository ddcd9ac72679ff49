import type { DomainCheck, DomainFinding } from '../../app/site/domain-check/domain-check-result.ts';
import { checkDkim } from './dkim.ts';
import { checkDmarc } from './dmarc.ts';
import { withDns } from './dns-reader.ts';
import { checkSpf } from './spf.ts';

/** Maximum length of a displayed record. RFC 7208 recommends less than 450 characters. */
const MAX_RECORD = 600;

/** DKIM finding for a domain without email. */
const DKIM_NOT_NEEDED: DomainFinding = {
  name: 'DKIM',
  state: 'good',
  message: 'This domain sends no email, so it needs no DKIM key.',
  record: null,
};

/**
 * Checks the email DNS records of a domain.
 * @param servers resolvers to query. If empty, the resolvers of this machine are used
 * @returns null if the domain does not exist
 * @throws DnsUnavailableError
 */
export async function checkDomain(domain: string, servers: readonly string[]): Promise<DomainCheck | null> {
  return withDns(servers, async (dns) => {
    const mailServers = await dns.readMailServers(domain);
    if (mailServers === null) return null;
    const acceptsNoEmail = mailServers.length === 1 && mailServers[0] === '';
    const [spf, dkim, dmarc] = await Promise.all([
      checkSpf(dns, domain),
      checkDkim(dns, domain),
      checkDmarc(dns, domain),
    ]);
    const isParked = acceptsNoEmail && /^v=spf1 +-all$/i.test(spf.record ?? '');
    return {
      domain,
      acceptsNoEmail,
      findings: [spf, isParked ? DKIM_NOT_NEEDED : dkim, dmarc].map((finding) => ({
        ...finding,
        record: finding.record?.slice(0, MAX_RECORD) ?? null,
      })),
    };
  });
}
