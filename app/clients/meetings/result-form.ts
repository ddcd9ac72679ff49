/** Form for the result of a held meeting, used in the portal and on the linked result page. */
import { z } from 'zod';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { formatCount } from '../figures/progress.ts';
import { readAmount } from '../figures/read-count.ts';
import { RESULTS, type Report } from './meeting-details.ts';

export const reportSchema = z
  .object({
    status: z.union([z.enum(keysOf(RESULTS)), z.literal('')]).refine((status) => status !== '', 'Choose a result.'),
    /** Ignored unless the status is `opportunity` or `won`. The reason is ignored unless the status is `lost`. */
    amount: z.string().trim(),
    reason: z.string().trim().max(2000, 'Write at most 2,000 characters.'),
  })
  .superRefine(({ status, amount, reason }, context) => {
    const addIssue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const hasAmount = status === 'won' || status === 'opportunity';
    if (status === 'won' && amount === '') addIssue('amount', 'Enter the amount of the deal.');
    if (hasAmount && amount !== '' && readAmount(amount, null) === null)
      addIssue('amount', 'Enter a number such as 150,000.');
    if (status === 'lost' && reason === '') addIssue('reason', 'Enter a reason.');
  });

export type ReportForm = z.input<typeof reportSchema>;
export type NewReport = z.output<typeof reportSchema>;

/** Returns the arguments of the SQL functions that store a report. */
export function reportArguments({ status, amount, reason }: NewReport) {
  const value = readAmount(amount, null);
  return { _status: status, _reason: reason, ...(value !== null && { _amount: value }) };
}

/** Formats a report, such as 'Won, NOK 150,000'. The amount is null if it is unknown or hidden from the user. */
export function formatReport({ status, amount }: Pick<Report, 'status' | 'amount'>, currency: string): string {
  return amount === null ? RESULTS[status] : `${RESULTS[status]}, ${currency} ${formatCount(amount)}`;
}
