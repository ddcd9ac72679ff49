/** Leads opened through an email link, without a session. */
import { mutationOptions } from '@tanstack/react-query';
import { publicApi } from '../../api/visitor-api.ts';
import { browserSecret } from '../browser-secret.ts';
import { linkedItemQuery } from '../linked-item.ts';
import type { LeadStatus } from './lead-schema.ts';

const KEY = ['lead-link'];

export function linkedLeadQuery(token: string) {
  return linkedItemQuery({
    queryKey: KEY,
    token,
    open: 'open_lead_link',
    read: async (response) => (await import('./linked-lead.ts')).readLinkedLead(response),
  });
}

interface LinkAnswer {
  token: string;
  /** Status shown to the person. */
  formerStatus: LeadStatus;
  status: LeadStatus;
  /** Required for `not_fit`. */
  reason: string;
}

/**
 * Changes the status of the lead.
 * @returns the reason for a failure, or null
 */
export const answerByLinkMutation = mutationOptions({
  mutationFn: async ({ token, formerStatus, status, reason }: LinkAnswer): Promise<string | null> => {
    const change = { _expected_status: formerStatus, _status: status, _reason: reason };
    const args = { _token: token, _holder: browserSecret(), ...change };
    return (await (await publicApi()).rpc('change_lead_by_link', args).throwOnError()).data;
  },
  onSettled: (_data, _error, _variables, _result, { client }) => client.invalidateQueries({ queryKey: KEY }),
});
