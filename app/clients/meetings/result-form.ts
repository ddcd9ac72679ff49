/** Form of the result of a held meeting, in the portal and on the page of a result link. */
import { z } from 'zod';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { formatCount } from '../figures/progress.ts';
import { readAmount } from '../figures/read-count.ts';
import { RESULTS, type Report } from './meeting-details.ts';

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

/** Arguments of the functions that store a report. */
export function reportArguments({ status, amount, reason }: NewReport) {
  const value = readAmount(amount, null);
  return { _status: status, _reason: reason, ...(value !== null && { _amount: value }) };
}

/** Text such as 'Won, NOK 150,000'. The amount is null if it is unknown or hidden from the user. */
export function formatReport({ status, amount }: Pick<Report, 'status' | 'amount'>, currency: string): string {
  return amount === null ? RESULTS[status] : `${RESULTS[status]}, ${currency} ${formatCount(amount)}`;
}
