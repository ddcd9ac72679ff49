/**
 * A client's leads are people who answered a campaign with interest. The leads in app/leads are enquiries to the
 * agency. Row-level security limits the visible rows.
 */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, openApi, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { download } from '../../ui/lib/download.ts';
import { oneLine } from '../../ui/lib/one-line.ts';
import { writeCsv } from '../../ui/lib/write-csv.ts';
import { HOME_KEY } from '../client-home.ts';
import { LEAD_STATUSES, type Lead, type LeadStatus, leadSchema, listedSchema } from './lead-schema.ts';

export const LEADS_KEY = ['client-leads'];

/** Always refetched, because both the client and our team can change leads. */
const FRESH = { staleTime: 0 } as const;

const pageSchema = z.object({
  items: z.array(listedSchema),
  /** Number of leads that match the filter. */
  count: z.number(),
  new_count: z.number(),
  all_count: z.number(),
});

interface LeadFilter {
  /** Starts at 1. */
  page?: number;
  search?: string | undefined;
  status?: LeadStatus | undefined;
}

/** Reads a page of a client's leads, new leads first. */
export function leadsQuery(clientId: string, { page = 1, search = '', status }: LeadFilter = {}) {
  return queryOptions({
    ...FRESH,
    queryKey: [...LEADS_KEY, clientId, { page, search, status }],
    placeholderData: keepPreviousData,
    queryFn: async (context) => {
      const [_offset] = pageRange(page);
      const filter = { _search: search, ...(status && { _status: status }) };
      return pageSchema.parse(
        await readAsSignedIn((api) =>
          api.rpc('list_client_leads', { _client_id: clientId, ...filter, _limit: PAGE_SIZE, _offset }),
        )(context),
      );
    },
  });
}

/** Reads a lead, or null if it no longer exists. */
export function leadQuery(clientId: string, id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...LEADS_KEY, clientId, 'lead', id],
    queryFn: async (context) =>
      leadSchema
        .nullable()
        .parse(await readAsSignedIn((api) => api.rpc('client_lead', { _client_id: clientId, _id: id }))(context)),
  });
}

export const addedLeadSchema = z
  .object({
    name: oneLine.max(200, 'Name must be at most 200 characters'),
    email: oneLine.toLowerCase().max(320, 'Email must be at most 320 characters'),
    company: oneLine.max(200, 'Company must be at most 200 characters'),
    title: oneLine.max(200, 'Title must be at most 200 characters'),
    words: z.string().trim().max(4000, 'Write at most 4,000 characters.'),
    /** Empty if unknown. */
    campaign_id: z.string(),
  })
  .refine(({ name, email }) => name !== '' || email !== '', {
    path: ['name'],
    error: 'A name or an email is required',
  });

interface AddedLead extends z.output<typeof addedLeadSchema> {
  clientId: string;
}

export const addLeadMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, campaign_id, ...lead }: AddedLead) =>
    api.rpc('add_client_lead', {
      _client_id: clientId,
      _name: lead.name,
      _email: lead.email,
      _company: lead.company,
      _title: lead.title,
      _words: lead.words,
      ...(campaign_id !== '' && { _campaign_id: campaign_id }),
    }),
  ),
  ...reloadOnSettled(LEADS_KEY, HOME_KEY),
});

export const reasonSchema = z.object({
  reason: z.string().trim().min(1, 'Enter a reason.').max(2000, 'Write at most 2,000 characters.'),
});

interface StatusInput {
  clientId: string;
  /** Lead shown to the user. */
  lead: Pick<Lead, 'id' | 'status'>;
  status: LeadStatus;
  reason?: string;
}

export const changeStatusMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, lead, status, reason = '' }: StatusInput) =>
    api.rpc('change_client_lead', {
      _client_id: clientId,
      _id: lead.id,
      _expected_status: lead.status,
      _status: status,
      _reason: reason,
    }),
  ),
  ...reloadOnSettled(LEADS_KEY, HOME_KEY),
});

/** Deletes a lead with its history. Idempotent. */
export const deleteLeadMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id }: { clientId: string; id: string }) =>
    api.from('client_leads').delete().match({ client_id: clientId, id }),
  ),
  ...reloadOnSettled(LEADS_KEY, HOME_KEY),
});

/** Columns of the CSV file, as in the client's archive. */
const EXPORTED_COLUMNS = [
  ...['received_at', 'name', 'email', 'company', 'title', 'campaign', 'step', 'text', 'words'],
  ...['status', 'reason', 'taken_by', 'taken_at'],
];

const exportedSchema = z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])));

/** Downloads all of a client's leads as CSV. */
export const exportLeadsMutation = mutationOptions({
  mutationFn: async ({ clientId }: { clientId: string }, context): Promise<void> => {
    const api = await openApi(context);
    const rows: z.output<typeof exportedSchema> = [];
    for (;;) {
      const part = { _client_id: clientId, _part: 'leads', _offset: rows.length };
      const page = exportedSchema.parse((await api.rpc('client_archive', part).throwOnError()).data);
      if (page.length === 0) break;
      rows.push(...page);
    }
    const csv = writeCsv([EXPORTED_COLUMNS, ...rows.map((row) => EXPORTED_COLUMNS.map((column) => row[column]))]);
    download(csv, `leads-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv');
  },
});

export function isLeadStatus(text: string): text is LeadStatus {
  return Object.hasOwn(LEAD_STATUSES, text);
}
