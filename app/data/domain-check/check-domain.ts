import type { DomainCheck } from './answer.ts';

/** The server said in a sentence why there is no result. */
export class DomainCheckRefusal extends Error {}

/** Has the server check a domain, or that of an address. @throws DomainCheckRefusal, or Error without a connection */
export async function checkDomain(domain: string): Promise<DomainCheck> {
  const response = await fetch('/domain-check', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ domain }),
  });
  const answer: DomainCheck | { error: string } = await response.json();
  if ('error' in answer) throw new DomainCheckRefusal(answer.error);
  return answer;
}
