/**
 * GET /health: succeeds if the process and its database respond. Uses the name of Supabase Auth, because monitoring
 * tools check it.
 */
import type { Endpoint } from './auth-call.ts';

export const health: Endpoint = async ({ auth }) => {
  await auth.database.query('select');
  return Response.json({
    version: '1',
    name: 'GoTrue',
    description: 'GoTrue-compatible authentication',
  });
};
