import { addDays } from '../../app/ui/lib/zoned-times.ts';
import type { Site, User } from './e2e.ts';

/** Creates a client with a client user, an assigned team member and a campaign. */
export async function newClient(site: Site, name: string): Promise<{ id: string; member: User; teamMember: User }> {
  const member = await site.createUser({ role: 'client' });
  const teamMember = await site.createUser({ role: 'team' });
  const { data } = await site.service.from('clients').insert({ name }).select('id').single().throwOnError();
  const client_id = data.id;
  await site.service.from('client_members').insert({ client_id, user_id: member.id }).throwOnError();
  await site.service.from('client_assignments').insert({ client_id, user_id: teamMember.id }).throwOnError();
  const campaign = { client_id, name: `${name} in spring`, channel: 'email', phase: 'running' };
  await site.service.from('campaigns').insert(campaign).throwOnError();
  return { id: client_id, member, teamMember };
}

/** A figure of the client's campaign. It covers one day, or the week that starts on that day. */
interface Figure {
  metric: string;
  day: string;
  value: number;
  days?: 1 | 7;
}

/** Inserts figures as an import by this user does. */
export async function addFigures(site: Site, clientId: string, importedBy: string, figures: Figure[]): Promise<void> {
  const { data: campaign } = await site.service
    .from('campaigns')
    .select('id')
    .eq('client_id', clientId)
    .limit(1)
    .single()
    .throwOnError();
  const counts = { new_count: figures.length, changed_count: 0, same_count: 0, refused_count: 0 };
  const file = { file_name: 'weeks.csv', file_hash: '0'.repeat(64), column_map: {} };
  const { data: batch } = await site.service
    .from('import_batches')
    .insert({ client_id: clientId, ...file, ...counts, imported_by: importedBy })
    .select('id')
    .single()
    .throwOnError();
  const rows = figures.map(({ metric, day, value, days = 1 }) => ({
    client_id: clientId,
    batch_id: batch.id,
    campaign_id: campaign.id,
    metric,
    first_day: day,
    last_day: addDays(day, days - 1),
    value,
  }));
  await site.service.from('campaign_figures').insert(rows).throwOnError();
}
