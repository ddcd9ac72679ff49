/** Campaigns as versioned documents, with history and trash. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import { type Document, requireWritten, type Versioned } from '../../editing/document.ts';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { CAMPAIGN_COLUMNS, type Campaign, CHANNELS, CLIENTS_KEY, campaignSchema, PHASES } from '../clients.ts';

/** A deleted campaign can be restored for this number of days. */
export const CAMPAIGN_RETENTION_DAYS = 30;

const DAY_MS = 24 * 60 * 60 * 1000;

export interface CampaignDocument extends Document {
  /** Initial values and version. */
  opened: Versioned | undefined;
}

type CampaignKey = Pick<Campaign, 'client_id' | 'id'>;

/** @param campaign undefined to add a campaign */
export function campaignDocument(clientId: string, campaign: Campaign | undefined): CampaignDocument {
  const load = async (signal?: AbortSignal): Promise<Versioned | null> => {
    const api = await sessionApi();
    const key = { _client_id: clientId, _campaign_id: campaign?.id ?? '' };
    const request = api
      .from('campaigns')
      .select(CAMPAIGN_COLUMNS)
      .match({ client_id: clientId, id: key._campaign_id })
      .is('deleted_at', null);
    const [{ data }, versions] = await Promise.all([
      (signal ? request.abortSignal(signal) : request).throwOnError(),
      api.rpc('list_campaign_versions', key).limit(1).throwOnError(),
    ]);
    const [row] = data;
    return row ? { ...versioned(row), by: versions.data[0]?.changed_by || undefined } : null;
  };
  return {
    kind: 'campaigns',
    ...(campaign && { id: campaign.id }),
    singular: 'campaign',
    formKey: `campaigns/${clientId}/${campaign?.id ?? 'new'}`,
    schema: campaignSchema,
    toasts: {
      created: 'Campaign saved successfully',
      updated: 'Campaign saved successfully',
      createFailed: 'Could not save the campaign',
      updateFailed: 'Could not save the campaign',
    },
    invalidatedQueryKeys: [CLIENTS_KEY],
    opened: campaign && versioned(campaign),
    fromRow: toFormValues,
    toRow,
    load,
    async save(values, opened) {
      const campaigns = (await sessionApi()).from('campaigns');
      if (campaign && opened) {
        const match = { client_id: clientId, id: campaign.id, updated_at: opened.version };
        const { data } = await campaigns.update(toRow(values)).match(match).select('updated_at').throwOnError();
        return requireWritten(data, load);
      }
      const row = { client_id: clientId, ...toRow(values) };
      return (await campaigns.insert(row).select('updated_at').single().throwOnError()).data.updated_at;
    },
  };
}

/** Initial form values of a new campaign. */
export const NEW_CAMPAIGN = { name: '', channel: 'email', phase: 'planned', next_step: '', due_on: '' };

function toRow(values: unknown) {
  const { due_on, ...row } = campaignSchema.parse(values);
  return { ...row, due_on: due_on === '' ? null : due_on };
}

/** Labels of history entries. `before` is the state before the first recorded change. */
export const VERSION_ACTIONS = {
  before: 'Before',
  created: 'Created',
  changed: 'Changed',
  deleted: 'Deleted',
  restored: 'Restored',
} as const;

const actionSchema = z.enum(keysOf(VERSION_ACTIONS));

const stateSchema = z.object({
  name: z.string(),
  channel: z.enum(keysOf(CHANNELS)),
  phase: z.enum(keysOf(PHASES)),
  next_step: z.string(),
  due_on: z.string().nullable(),
});

/** Converts the current or an earlier state to form values. */
export function toFormValues(state: unknown) {
  const { due_on, ...values } = stateSchema.parse(state);
  return { ...values, due_on: due_on ?? '' };
}

function versioned(campaign: Campaign): Versioned {
  return { content: toFormValues(campaign), version: campaign.updated_at };
}

/** Reads the earlier states of a campaign, newest first, with the names of their authors. */
export function campaignVersionsQuery({ client_id, id }: CampaignKey) {
  return queryOptions({
    queryKey: [...CLIENTS_KEY, 'versions', client_id, id],
    staleTime: 0,
    queryFn: async (context) => {
      const args = { _client_id: client_id, _campaign_id: id };
      const versions = await readAsSignedIn((api) => api.rpc('list_campaign_versions', args))(context);
      return versions.map((version) => ({ ...version, action: actionSchema.parse(version.action) }));
    },
  });
}

/** Reads a client's deleted campaigns, latest first. */
export function deletedCampaignsQuery(clientId: string) {
  return queryOptions({
    queryKey: [...CLIENTS_KEY, 'deleted', clientId],
    staleTime: 0,
    queryFn: readAsSignedIn((api) =>
      api
        .from('campaigns')
        .select('id, client_id, name, deleted_at')
        .eq('client_id', clientId)
        .gt('deleted_at', new Date(Date.now() - CAMPAIGN_RETENTION_DAYS * DAY_MS).toISOString())
        .order('deleted_at', { ascending: false }),
    ),
  });
}

/** Deletes a campaign. Succeeds if it is already deleted. */
export const deleteCampaignMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { id, client_id }: CampaignKey) =>
    api.rpc('delete_campaign', { _client_id: client_id, _campaign_id: id }),
  ),
  ...reloadOnSettled(CLIENTS_KEY),
});

export const restoreCampaignMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { id, client_id }: CampaignKey) =>
    api.rpc('restore_campaign', { _client_id: client_id, _campaign_id: id }),
  ),
  ...reloadOnSettled(CLIENTS_KEY),
});
