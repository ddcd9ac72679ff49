import { UserError } from '../../ui/lib/user-error.ts';
import type { DomainCheck } from './domain-check-result.ts';

/**
 * Checks a domain, or the domain of an email address.
 *
 * @throws UserError if the server rejects the domain, Error if the request fails
 */
export async function checkDomain(domain: string): Promise<DomainCheck> {
  const response = await fetch('/domain-check', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ domain }),
  });
  const result: DomainCheck | { error: string } = await response.json();
  if ('error' in result) throw new UserError(result.error);
  return result;
}
