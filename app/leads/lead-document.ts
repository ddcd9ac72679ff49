/** Document of a lead's follow-up, with optimistic locking. */
import { z } from 'zod';
import { colleagueName } from '../accounts/colleague-name.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { type Document, requireWritten, type Versioned } from '../editing/document.ts';
import { keysOf } from '../ui/lib/keys-of.ts';
import { LEAD_COLUMNS, LEAD_STATUSES, LEADS_KEY, type Lead, parseLead } from './leads.ts';

export const followUpSchema = z.object({
  status: z.enum(keysOf(LEAD_STATUSES)),
  /** Empty without an owner. */
  owner_id: z.string(),
  note: z.string().max(4000, 'Write at most 4,000 characters.'),
});

export interface FollowUpDocument extends Document {
  /** Initial values and version. */
  opened: Versioned;
}

export function followUpDocument(lead: Lead): FollowUpDocument {
  const load = async (signal?: AbortSignal): Promise<Versioned | null> => {
    const request = (await sessionApi()).from('leads').select(LEAD_COLUMNS).eq('id', lead.id);
    const { data } = await (signal ? request.abortSignal(signal) : request).throwOnError();
    const [row] = data;
    return row ? { ...versioned(parseLead(row)), by: await colleagueName(row.changed_by) } : null;
  };
  return {
    kind: 'leads',
    id: lead.id,
    singular: 'lead',
    formKey: `leads/${lead.id}`,
    schema: followUpSchema,
    toasts: {
      created: 'Lead updated successfully',
      updated: 'Lead updated successfully',
      createFailed: 'Could not update the lead',
      updateFailed: 'Could not update the lead',
    },
    invalidatedQueryKeys: [LEADS_KEY],
    opened: versioned(lead),
    fromRow: (row) => row,
    toRow,
    load,
    async save(values, opened) {
      const { data } = await (await sessionApi())
        .from('leads')
        .update(toRow(values))
        .match({ id: lead.id, updated_at: opened?.version ?? '' })
        .select('updated_at')
        .throwOnError();
      return requireWritten(data, load);
    },
  };
}

function toRow(values: unknown) {
  const { status, owner_id, note } = followUpSchema.parse(values);
  return { status, note, owner_id: owner_id === '' ? null : owner_id };
}

function versioned({ status, owner_id, note, updated_at }: Lead): Versioned {
  return { content: { status, owner_id: owner_id ?? '', note }, version: updated_at };
}
