/** GET /user/identities/authorize links an identity to the account of the bearer token, and DELETE unlinks one. */
import type { Queryable } from '../database/database.ts';
import { isUniqueViolation } from '../database/errors.ts';
import { isUuid } from '../http/uuid.ts';
import { audit } from './audit-log.ts';
import { type AuthCall, type Endpoint, requireNotSso, requireUser, type SignedIn } from './auth-call.ts';
import { authError } from './error-codes.ts';
import { requireSecondFactor } from './factors/factor-rows.ts';
import { startProviderFlow } from './provider-flows.ts';
import { redirectTo } from './redirect-responses.ts';
import type { UserRow } from './users.ts';
import { recordVerifiedAddress } from './verified-addresses.ts';

export const linkIdentity: Endpoint = async (call) => {
  const { user, sessionId } = await requireLinking(call);
  const { url, headers } = await startProviderFlow(call, { userId: user.id, sessionId });
  if (call.url.searchParams.get('skip_http_redirect') !== 'true') return redirectTo(url, 302, headers);
  return Response.json({ url: url.href }, { headers });
};

export const unlinkIdentity: Endpoint = async (call, { id = '' }) => {
  const { user } = await requireLinking(call);
  if (!isUuid(id)) throw authError('validation_failed', 'identity_id must be an UUID', 404);
  await call.auth.database
    .transaction((tx) => unlink(tx, call, user, id))
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) {
        throw authError('email_conflict_identity_not_deletable');
      }
      throw error;
    });
  return Response.json({});
};

/** @throws ApiError 404 manual_linking_disabled, 422 user_sso_managed, 401, 403 */
async function requireLinking(call: AuthCall): Promise<SignedIn> {
  if (!call.auth.config.AUTH_MANUAL_LINKING) throw authError('manual_linking_disabled');
  const signedIn = await requireUser(call);
  requireNotSso(signedIn);
  requireSecondFactor(signedIn, 'AAL2 required to link or unlink an identity');
  return signedIn;
}

/** @throws ApiError 422 single_identity_not_deletable or identity_not_found; DatabaseError 23505 */
async function unlink(tx: Queryable, call: AuthCall, user: UserRow, identityId: string): Promise<void> {
  // Two concurrent requests must not unlink the last two identities.
  await tx.query('select from auth.users where id = $1 for update', [user.id]);
  const { rows } = await tx.query<{ id: string; provider: string; provider_id: string }>(
    'select id, provider, provider_id from auth.identities where user_id = $1',
    [user.id],
  );
  if (rows.length <= 1) throw authError('single_identity_not_deletable');
  const identity = rows.find(({ id }) => id === identityId);
  if (!identity) throw authError('identity_not_found');
  await tx.query('delete from auth.identities where id = $1', [identityId]);
  if (identity.provider === 'phone') {
    await tx.query('update auth.users set phone = null, phone_confirmed_at = null where id = $1', [user.id]);
  } else {
    await moveToRemainingEmail(tx, user.id);
  }
  // The password belongs to the email identity.
  if (identity.provider === 'email') {
    await tx.query(`update auth.users set encrypted_password = '' where id = $1`, [user.id]);
  }
  await tx.query(
    `update auth.users set updated_at = now(), raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || (
       select jsonb_build_object('provider', (array_agg(provider order by first))[1], 'providers', jsonb_agg(provider order by first))
       from (select provider, min(created_at) as first from auth.identities where user_id = $1 group by provider) as named
     ) where id = $1`,
    [user.id],
  );
  await audit(tx, 'identity_unlinked', { id: user.id, email: user.email ?? '' }, call.address, {
    identity_id: identity.id,
    provider: identity.provider,
    provider_id: identity.provider_id,
  });
}

/** If the account lost its address with the identity, sets the address of another identity, preferably verified. */
async function moveToRemainingEmail(tx: Queryable, userId: string): Promise<void> {
  const { rows } = await tx.query<{ email: string | null; verified: boolean | null }>(
    `update auth.users as account set email = best.email,
       email_confirmed_at = case when best.verified then now() end
     from (select 1) as always left join lateral (
       select email, identity_data @> '{"email_verified": true}' as verified from auth.identities
       where user_id = $1 and email is not null and email <> ''
       order by (identity_data @> '{"email_verified": true}') desc, created_at limit 1
     ) as best on true
     where account.id = $1 and account.email is not null and not exists (
       select from auth.identities as kept where kept.user_id = $1 and kept.email = account.email
     ) returning best.email, best.verified`,
    [userId],
  );
  if (rows[0]?.email && rows[0].verified) await recordVerifiedAddress(tx, userId, rows[0].email);
}
