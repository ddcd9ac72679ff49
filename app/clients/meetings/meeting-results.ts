/** Results of held meetings, which the client or its team reports. The latest report counts. */
import { mutationOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { HOME_KEY } from '../client-home.ts';
import { formatCount } from '../figures/progress.ts';
import { readAmount } from '../figures/read-count.ts';
import { LEADS_KEY } from '../leads/leads.ts';
import { RESULTS, type Report } from './meeting-details.ts';
import { MEETINGS_KEY, type Meeting } from './meetings.ts';

export const reportSchema = z
  .object({
    status: z.union([z.enum(keysOf(RESULTS)), z.literal('')]).refine((status) => status !== '', 'Choose a result.'),
    /** Ignored for deals that are not won and no opportunity, as the reason is unless the deal was lost. */
    amount: z.string().trim(),
    reason: z.string().trim().max(2000, 'Write at most 2,000 characters.'),
  })
  .superRefine(({ status, amount, reason }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const hasAmount = status === 'won' || status === 'opportunity';
    if (status === 'won' && amount === '') refuse('amount', 'Enter the amount of the deal.');
    if (hasAmount && amount !== '' && readAmount(amount, null) === null)
      refuse('amount', 'Enter a number such as 150,000.');
    if (status === 'lost' && reason === '') refuse('reason', 'Enter a reason.');
  });

export type ReportForm = z.input<typeof reportSchema>;
export type NewReport = z.output<typeof reportSchema>;

interface ReportInput extends NewReport {
  clientId: string;
  /** Version shown to the user. */
  meeting: Pick<Meeting, 'id' | 'details'>;
}

export const reportResultMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, meeting, status, amount, reason }: ReportInput) => {
    const value = readAmount(amount, null);
    return api.rpc('report_meeting_result', {
      _client_id: clientId,
      _meeting_id: meeting.id,
      _former_number: meeting.details.result.reports[0]?.number ?? 0,
      _status: status,
      _reason: reason,
      ...(value !== null && { _amount: value }),
    });
  }),
  ...reloadOnSettled(MEETINGS_KEY, HOME_KEY, LEADS_KEY),
});

/** Text such as 'Won, NOK 150,000'. The amount is null if it is unknown or hidden from the user. */
export function formatReport({ status, amount }: Pick<Report, 'status' | 'amount'>, currency: string): string {
  return amount === null ? RESULTS[status] : `${RESULTS[status]}, ${currency} ${formatCount(amount)}`;
}
