/** Queries for the list, details and CSV export of leads. For admins and team members. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  changeAsSignedIn,
  readAsSignedIn,
  readPageAsSignedIn,
  reloadOnSettled,
  reloadOnSuccess,
} from '../api/as-signed-in.ts';
import type { Database } from '../api/database.types.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { containsPattern } from '../ui/lib/contains-filter.ts';
import { EMAIL_PATTERN } from '../ui/lib/email-pattern.ts';
import { keysOf } from '../ui/lib/keys-of.ts';
import { writeCsv } from '../ui/lib/write-csv.ts';

export const LEAD_STATUSES = { new: 'New', contacted: 'Contacted', won: 'Won', lost: 'Lost' } as const;
export const LEAD_SOURCES = {
  assistant: 'Chat',
  contact: 'Contact form',
  booking: 'Booking',
  newsletter: 'Newsletter',
  transcript: 'Transcript',
} as const;

export type LeadStatus = keyof typeof LEAD_STATUSES;
export type LeadSource = keyof typeof LEAD_SOURCES;

/** Lead as shown in the admin area, without the search column. */
export type Lead = Omit<LeadRow, 'source' | 'status'> & { source: LeadSource; status: LeadStatus };

type LeadRow = Omit<Database['public']['Tables']['leads']['Row'], 'search_text'>;

const enumSchema = z.object({ source: z.enum(keysOf(LEAD_SOURCES)), status: z.enum(keysOf(LEAD_STATUSES)) });

/** Parses a row. @throws ZodError for an unknown source or status */
export function parseLead(row: LeadRow): Lead {
  return { ...row, ...enumSchema.parse(row) };
}

/** Columns of a Lead. */
export const LEAD_COLUMNS =
  'id, source, name, email, phone, call_time, message, page, service, conversation_id, status, note, owner_id, created_at, updated_at, changed_by';

/** Page size of the export, in rows. */
const EXPORT_PAGE_SIZE = 1000;

/** Prefix of the query keys of leads. */
export const LEADS_KEY = ['leads'];
const KEY = LEADS_KEY;

/** Always refetched, because visitors and other team members can change leads. */
const FRESH = { staleTime: 0 } as const;

export interface LeadFilter {
  search?: string | undefined;
  status?: LeadStatus | undefined;
  source?: LeadSource | undefined;
  /** ID of the lead's owner. */
  owner?: string | undefined;
}

type Api = Awaited<ReturnType<typeof sessionApi>>;

function filterLeads(api: Api, { search = '', status, source, owner }: LeadFilter, options: { count?: 'exact' } = {}) {
  let request = api.from('leads').select(LEAD_COLUMNS, options);
  if (status) request = request.eq('status', status);
  if (source) request = request.eq('source', source);
  if (owner) request = request.eq('owner_id', owner);
  if (search.trim()) {
    request = request.like('search_text', containsPattern(search.trim().toLowerCase()));
  }
  return request.order('created_at', { ascending: false }).order('id');
}

/** Reads one page (1-based) of leads, newest first, and the total count. */
export function leadsQuery({ page, ...filter }: LeadFilter & { page: number }) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'list', { page, ...filter }],
    placeholderData: keepPreviousData,
    queryFn: async (context): Promise<{ items: Lead[]; count: number }> => {
      const readPage = readPageAsSignedIn(page, (api) => filterLeads(api, filter, { count: 'exact' }));
      const { items, count } = await readPage(context);
      return { items: items.map(parseLead), count };
    },
  });
}

/** Reads the 24 oldest leads that are still new, and their total count. */
export const newLeadsQuery = queryOptions({
  ...FRESH,
  queryKey: [...KEY, 'new'],
  queryFn: async (context): Promise<{ items: Lead[]; count: number }> => {
    const readPage = readPageAsSignedIn(1, (api) =>
      api.from('leads').select(LEAD_COLUMNS, { count: 'exact' }).eq('status', 'new').order('created_at').order('id'),
    );
    const { items, count } = await readPage(context);
    return { items: items.map(parseLead), count };
  },
});

/** Reads a lead. Null if not found. */
export function leadQuery(id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'lead', id],
    queryFn: async ({ signal }): Promise<Lead | null> => {
      if (!z.guid().safeParse(id).success) return null;
      const api = await sessionApi();
      const { data } = await api.from('leads').select(LEAD_COLUMNS).eq('id', id).abortSignal(signal).throwOnError();
      return data[0] ? parseLead(data[0]) : null;
    },
  });
}

/** Reads the ID of the oldest lead created from a conversation. Null if not found. */
export function conversationLeadQuery(conversationId: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'conversation', conversationId],
    queryFn: async ({ signal }): Promise<string | null> => {
      const api = await sessionApi();
      const { data } = await api
        .from('leads')
        .select('id')
        .eq('conversation_id', conversationId)
        .order('created_at')
        .limit(1)
        .abortSignal(signal)
        .throwOnError();
      return data[0]?.id ?? null;
    },
  });
}

/** Reads the names of admins and team members, who can own leads. */
export const leadOwnersQuery = queryOptions({
  queryKey: [...KEY, 'owners'],
  queryFn: readAsSignedIn((api) => api.rpc('lead_owners')),
});

/** Marks a new lead as contacted. Has no effect if another user has already changed the status. */
export const markContactedMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: string) =>
    api.from('leads').update({ status: 'contacted' }).eq('id', id).eq('status', 'new'),
  ),
  ...reloadOnSettled(KEY),
});

/** Deletes a lead. Succeeds if it is already deleted. */
export const deleteLeadMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: string) => api.from('leads').delete().eq('id', id)),
  ...reloadOnSettled(KEY),
});

export const newLeadSchema = z.object({
  name: z.string().trim().max(100, 'Name must be at most 100 characters'),
  email: z
    .string()
    .trim()
    .check(z.email({ pattern: EMAIL_PATTERN, error: 'Invalid email address', abort: true }))
    .max(255, 'Email must be at most 255 characters'),
  phone: z
    .string()
    .trim()
    .regex(/^[0-9+()./ -]{0,40}$/, 'Enter a phone number with digits.'),
  message: z.string().trim().max(4000, 'Write at most 4,000 characters.'),
});

/**
 * Creates a lead from a conversation.
 *
 * @returns its id
 */
export const createLeadMutation = mutationOptions({
  mutationFn: async (lead: z.output<typeof newLeadSchema> & { conversation_id: string }): Promise<string> => {
    const api = await sessionApi();
    const { data } = await api
      .from('leads')
      .insert({ source: 'transcript', ...lead })
      .select('id')
      .single()
      .throwOnError();
    return data.id;
  },
  ...reloadOnSuccess(KEY),
});

const EXPORT_COLUMNS = [
  'created_at',
  'source',
  'status',
  'name',
  'email',
  'phone',
  'call_time',
  'service',
  'page',
  'message',
  'note',
  'conversation_id',
] as const satisfies readonly (keyof Lead)[];

/** Exports the leads that match the filter as CSV (RFC 4180). */
export const exportLeadsMutation = mutationOptions({
  mutationFn: async (filter: LeadFilter): Promise<string> => {
    const api = await sessionApi();
    const rows: (string | null)[][] = [[...EXPORT_COLUMNS]];
    for (let start = 0; ; start += EXPORT_PAGE_SIZE) {
      const { data, error } = await filterLeads(api, filter).range(start, start + EXPORT_PAGE_SIZE - 1);
      if (error && error.code !== 'PGRST103') throw error;
      for (const lead of data ?? []) rows.push(EXPORT_COLUMNS.map((column) => lead[column]));
      if ((data ?? []).length < EXPORT_PAGE_SIZE) return writeCsv(rows);
    }
  },
});
