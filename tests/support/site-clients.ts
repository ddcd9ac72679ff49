import type { Site, User } from './e2e.ts';

/** A client with a member, somebody who works for it, and a campaign. */
export async function newClient(site: Site, name: string): Promise<{ id: string; member: User; worker: User }> {
  const member = await site.createUser({ role: 'client' });
  const worker = await site.createUser({ role: 'team' });
  const { data } = await site.service.from('clients').insert({ name }).select('id').single().throwOnError();
  const client_id = data.id;
  await site.service.from('client_members').insert({ client_id, user_id: member.id }).throwOnError();
  await site.service.from('client_assignments').insert({ client_id, user_id: worker.id }).throwOnError();
  const campaign = { client_id, name: `${name} in spring`, channel: 'email', phase: 'running' };
  await site.service.from('campaigns').insert(campaign).throwOnError();
  return { id: client_id, member, worker };
}
