/** Clients as versioned documents. */
import { GOAL_FIELDS } from '../../supabase/functions/metrics.ts';
import { colleagueName } from '../accounts/colleague-name.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { type Document, requireWritten, type Versioned } from '../editing/document.ts';
import { recordOf } from '../ui/lib/keys-of.ts';
import { visitorZone } from '../ui/lib/zoned-times.ts';
import { CLIENTS_KEY, type Client, clientSchema, OWN_COLUMNS } from './clients.ts';

type ClientRow = Omit<Client, 'campaigns'>;

export interface ClientDocument extends Document {
  /** Initial values and version. */
  opened: Versioned | undefined;
}

/** @param onAdded receives the ID of a new client */
export function clientDocument(client: ClientRow | undefined, onAdded?: (id: string) => void): ClientDocument {
  const load = async (signal?: AbortSignal): Promise<Versioned | null> => {
    const request = (await sessionApi())
      .from('clients')
      .select(OWN_COLUMNS)
      .eq('id', client?.id ?? '');
    const { data } = await (signal ? request.abortSignal(signal) : request).throwOnError();
    const [row] = data;
    return row ? { ...versioned(row), by: await colleagueName(row.changed_by) } : null;
  };
  return {
    kind: 'clients',
    ...(client && { id: client.id }),
    singular: 'client',
    formKey: client ? `clients/${client.id}` : 'clients/new',
    schema: clientSchema,
    toasts: {
      created: 'Client created successfully',
      updated: 'Client updated successfully',
      createFailed: 'Could not create the client',
      updateFailed: 'Could not update the client',
    },
    invalidatedQueryKeys: [CLIENTS_KEY],
    opened: client && versioned(client),
    fromRow: (row) => row,
    toRow: (values) => clientSchema.parse(values),
    load,
    async save(values, opened) {
      const clients = (await sessionApi()).from('clients');
      const row = clientSchema.parse(values);
      if (client && opened) {
        const match = { id: client.id, updated_at: opened.version };
        const { data } = await clients.update(row).match(match).select('updated_at').throwOnError();
        return requireWritten(data, load);
      }
      const { data } = await clients.insert(row).select('id, updated_at').single().throwOnError();
      onAdded?.(data.id);
      return data.updated_at;
    },
  };
}

/** Initial form values of a new client. */
export function newClient() {
  return {
    ...{ name: '', domain: '', time_zone: visitorZone(), first_weekday: '1', currency: 'NOK' },
    ...recordOf(GOAL_FIELDS, () => ''),
    ...{ report_weekday: '1', report_hour: '8', lead_months: '12' },
  };
}

function versioned(row: ClientRow): Versioned {
  const { name, domain, time_zone, currency } = row;
  return {
    content: {
      ...{ name, domain, time_zone, first_weekday: String(row.first_weekday), currency },
      ...recordOf(GOAL_FIELDS, (field) => String(row[field] ?? '')),
      report_weekday: String(row.report_weekday ?? ''),
      report_hour: String(row.report_hour),
      lead_months: String(row.lead_months),
    },
    version: row.updated_at,
  };
}
