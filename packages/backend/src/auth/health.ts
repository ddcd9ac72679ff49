/** GET /health: answers when the process and its database do. The official name keeps monitors of Supabase working. */
import type { Endpoint } from './auth-call.ts';

export const health: Endpoint = async ({ auth }) => {
  await auth.database.query('select');
  return Response.json({
    version: '1',
    name: 'GoTrue',
    description: 'GoTrue-compatible authentication',
  });
};
