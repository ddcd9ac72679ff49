/** Funnel of a client, from delivered messages to won deals. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { readAsSignedIn } from '../../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { keysOf } from '../../ui/lib/keys-of.ts';
import type { Period } from '../figures/progress.ts';
import { LEAD_STATUSES } from '../leads/lead-schema.ts';
import { RESULTS } from '../meetings/meeting-details.ts';
import { OUTCOMES } from '../meetings/meetings.ts';
import { FUNNEL_KEY } from './funnel-key.ts';
import { funnelSchema, type ItemStep } from './funnel-schema.ts';

const pricedSchema = funnelSchema.extend({
  /** In the client's currency. Null without a fee, or if the user cannot see amounts. */
  cost: z
    .object({
      fee: z.number(),
      /** First day with a fee. Null if the fee applies from the start of the period. */
      since: z.string().nullable(),
      per_held: z.number().nullable(),
      per_won: z.number().nullable(),
    })
    .nullable(),
});

export type Cost = NonNullable<z.output<typeof pricedSchema>['cost']>;

/** Always refetched, because both the client and our team report results. */
const FRESH = { staleTime: 0 } as const;

/** Reads the funnel of a period with its costs. */
export function funnelQuery(clientId: string, { first, last }: Period) {
  return queryOptions({
    ...FRESH,
    queryKey: [...FUNNEL_KEY, clientId, first, last],
    queryFn: async (context) => {
      const args = { _client_id: clientId, _from: first, _until: last };
      return pricedSchema.parse(await readAsSignedIn((api) => api.rpc('client_funnel', args))(context));
    },
  });
}

const itemSchema = z.object({
  id: z.string(),
  /** Empty for a meeting counted from a figure until a team member adds the name. */
  name: z.string(),
  /** Null for a meeting without a time. */
  at: z.string().nullable(),
  /** Day on which the lead or meeting counts. */
  day: z.string(),
  /** Status of the lead or meeting. */
  status: z.enum([...keysOf(LEAD_STATUSES), ...keysOf(OUTCOMES), 'disputed']),
  /** Latest result of a held meeting. */
  result: z.enum(keysOf(RESULTS)).nullable(),
  amount: z.number().nullable(),
  /** Lead of a meeting. */
  lead_id: z.string().nullable(),
  lead: z.string().nullable(),
  total: z.number(),
});

export type FunnelItem = z.output<typeof itemSchema>;

/** Reads a page (1-based) of the leads or meetings of a step, latest first. */
export function funnelItemsQuery(clientId: string, { first, last }: Period, step: ItemStep, page: number) {
  return queryOptions({
    ...FRESH,
    queryKey: [...FUNNEL_KEY, clientId, first, last, step, page],
    placeholderData: keepPreviousData,
    queryFn: async (context) => {
      const [_offset] = pageRange(page);
      const args = { _client_id: clientId, _from: first, _until: last, _step: step, _limit: PAGE_SIZE, _offset };
      const rows = await readAsSignedIn((api) => api.rpc('list_funnel_items', args))(context);
      const items = z.array(itemSchema).parse(rows);
      return { items, count: items[0]?.total ?? 0 };
    },
  });
}
