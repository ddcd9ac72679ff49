import type { SupabaseClient } from '@supabase/supabase-js';
import type { TestBackend } from './test-backend.ts';

type SignedInUser = Awaited<ReturnType<TestBackend['signedIn']>>;

/** A client with a campaign, a client user, and an assigned team member. */
export interface TestClient {
  id: string;
  campaign: string;
  member: SignedInUser;
  worker: SignedInUser;
}

/** As an admin, creates a client with a campaign, a client user and an assigned team member. */
export async function newClient(
  site: TestBackend,
  admin: SupabaseClient,
  name: string,
  fields: { time_zone?: string } = {},
): Promise<TestClient> {
  const member = await site.signedIn('client');
  const worker = await site.signedIn('team');
  const { data: client } = await admin
    .from('clients')
    .insert({ name, ...fields })
    .select('id')
    .single()
    .throwOnError();
  // Insert the row directly, because the invitation function sends an email.
  await site.service.from('client_members').insert({ client_id: client.id, user_id: member.id }).throwOnError();
  await admin.from('client_assignments').insert({ client_id: client.id, user_id: worker.id }).throwOnError();
  const { data: campaign } = await admin
    .from('campaigns')
    .insert({ client_id: client.id, name: `Campaign of ${name}`, channel: 'email' })
    .select('id')
    .single()
    .throwOnError();
  return { id: client.id, campaign: campaign.id, member, worker };
}
