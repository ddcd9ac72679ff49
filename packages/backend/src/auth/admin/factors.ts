/** /admin/users/{id}/factors: the service role lists and deletes the second factors of an account. */
import { audit } from '../audit-log.ts';
import { type Endpoint, requireServiceRole } from '../auth-call.ts';
import { deleteFactor, requireFactor } from '../factors/factor-rows.ts';
import { requireUserById, SERVICE_ROLE } from './users.ts';

export const listFactors: Endpoint = async (call, { id = '' }) => {
  await requireServiceRole(call);
  return Response.json((await requireUserById(call.auth.database, id)).factors);
};

export const deleteFactorById: Endpoint = async (call, { id = '', factorId = '' }) => {
  await requireServiceRole(call);
  const user = await requireUserById(call.auth.database, id);
  await call.auth.database.transaction(async (tx) => {
    await deleteFactor(tx, await requireFactor(tx, user.id, factorId));
    await audit(tx, 'factor_deleted', SERVICE_ROLE, call.address, { user_id: user.id, factor_id: factorId });
  });
  return Response.json(user.factors.find((factor) => factor['id'] === factorId) ?? { id: factorId });
};
