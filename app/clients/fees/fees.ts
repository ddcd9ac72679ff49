/** Monthly fees of clients. Viewers cannot read fees, and only the team can set them. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { formatDay } from '../../ui/lib/zoned-times.ts';
import { formatCount } from '../figures/progress.ts';
import { readAmount } from '../figures/read-count.ts';
import { FUNNEL_KEY } from '../funnel/funnel-key.ts';

const FEES_KEY = ['client-fees'];

const feeSchema = z.object({
  number: z.number(),
  /** First day of the first month in which the fee applies. */
  first_month: z.string(),
  /** In the client's currency. 0 for no fee. */
  amount: z.number(),
  set_by: z.string(),
  created_at: z.string(),
});

export type Fee = z.output<typeof feeSchema>;

/** Reads the changes to a client's fee, latest first. */
export function feesQuery(clientId: string) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...FEES_KEY, clientId],
    queryFn: async (context) =>
      z
        .array(feeSchema)
        .parse(await readAsSignedIn((api) => api.rpc('list_client_fees', { _client_id: clientId }))(context)),
  });
}

export const newFeeSchema = z.object({
  /** First day of a month, YYYY-MM-DD. */
  first_month: z.string(),
  amount: z
    .string()
    .trim()
    .min(1, 'Enter an amount.')
    .refine((amount) => amount === '' || readAmount(amount, null) !== null, 'Enter a number such as 30,000.'),
});

export type NewFee = z.output<typeof newFeeSchema>;

interface FeeInput extends NewFee {
  clientId: string;
  /** Number of the latest change shown to the user, or 0. */
  formerNumber: number;
}

export const setFeeMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, formerNumber, first_month, amount }: FeeInput) =>
    api.rpc('set_client_fee', {
      _client_id: clientId,
      _first_month: first_month,
      _amount: readAmount(amount, null) ?? 0,
      _expected_number: formerNumber,
    }),
  ),
  ...reloadOnSettled(FEES_KEY, FUNNEL_KEY),
});

/** Returns the fee that applies on a day, or undefined. */
export function findFee(day: string, fees: readonly Fee[]): Fee | undefined {
  return fees
    .filter(({ first_month }) => first_month <= day)
    .toSorted((a, b) => b.first_month.localeCompare(a.first_month) || b.number - a.number)[0];
}

/** Formats a fee, such as 'NOK 30,000 from January 2026'. */
export function formatFee({ amount, first_month }: Pick<Fee, 'amount' | 'first_month'>, currency: string): string {
  const text = amount === 0 ? 'No fee' : formatMoney(amount, currency);
  return `${text} from ${formatDay(first_month, { month: 'long', year: 'numeric' })}`;
}

/** Formats an amount, such as 'NOK 30,000', rounded to whole units. */
export function formatMoney(amount: number, currency: string): string {
  return `${currency} ${formatCount(Math.round(amount))}`;
}
