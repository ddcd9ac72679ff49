/** /admin/users: the service role lists, reads, creates, changes and deletes accounts. */
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../../database/database.ts';
import { escapeLike } from '../../database/escape-like.ts';
import { isUuid } from '../../http/uuid.ts';
import { audit } from '../audit-log.ts';
import {
  type AuthCall,
  appMetadataField,
  type Endpoint,
  emailField,
  metadataField,
  readBody,
  requireServiceRole,
  validate,
} from '../auth-call.ts';
import { CHANGE_TOKENS } from '../email-change.ts';
import { authError } from '../error-codes.ts';
import { deleteKnownNetworks } from '../known-networks.ts';
import { onlyPendingSignUp, revokeTokens } from '../one-time-tokens.ts';
import { hashPassword, requireStrongPassword } from '../passwords.ts';
import { phoneField } from '../phone.ts';
import { requireMetadataFits } from '../user-metadata.ts';
import {
  addIdentity,
  confirmAddress,
  emailClaims,
  findUserById,
  insertUser,
  phoneClaims,
  readUser,
  SELECT_USERS,
  throwAddressTaken,
  type UserRow,
  userJson,
} from '../users.ts';
import { isAddressVerified, recordVerifiedAddress } from '../verified-addresses.ts';

/** Actor of admin requests in the audit log. */
export const SERVICE_ROLE = { id: '00000000-0000-0000-0000-000000000000', email: 'service_role' };

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;

const attributes = z.object({
  id: z.uuid().nullish(),
  email: emailField.nullish(),
  phone: phoneField.nullish(),
  password: z.string().max(1000).nullish(),
  /** An imported bcrypt hash, instead of a password. */
  password_hash: z
    .string()
    .regex(/^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/, 'only bcrypt hashes are supported')
    .nullish(),
  email_confirm: z.boolean().nullish(),
  phone_confirm: z.boolean().nullish(),
  user_metadata: metadataField,
  app_metadata: appMetadataField,
  role: z.string().min(1).max(255).nullish(),
  ban_duration: z.string().nullish(),
});

const pageField = z.coerce.number().int().min(1).default(1);
const perPageField = z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE);

export const listUsers: Endpoint = async (call) => {
  await requireServiceRole(call);
  const { searchParams } = call.url;
  const page = validate(pageField, searchParams.get('page') || undefined);
  const perPage = validate(perPageField, searchParams.get('per_page') || undefined);
  const filter = searchParams.get('filter') ?? '';
  const condition = `where $1 = '' or u.email ilike '%' || $1 || '%' or u.raw_user_meta_data ->> 'name' ilike '%' || $1 || '%'`;
  const pattern = escapeLike(filter);
  const { database } = call.auth;
  const count = await database.query<{ total: number }>(`select count(*) as total from auth.users u ${condition}`, [
    pattern,
  ]);
  const total = count.rows[0]?.total ?? 0;
  const { rows } = await database.query<UserRow>(
    `${SELECT_USERS} ${condition} order by u.created_at desc, u.id limit $2 offset $3`,
    [pattern, perPage, (page - 1) * perPage],
  );
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const link = (to: number, rel: string) => `<${call.url.pathname}?page=${to}&per_page=${perPage}>; rel="${rel}"`;
  return Response.json(
    { users: rows.map(userJson), aud: 'authenticated' },
    {
      headers: {
        'x-total-count': String(total),
        link: [...(page < lastPage ? [link(page + 1, 'next')] : []), link(lastPage, 'last')].join(', '),
      },
    },
  );
};

export const readUserById: Endpoint = async (call, { id = '' }) => {
  await requireServiceRole(call);
  return Response.json(userJson(await requireUserById(call.auth.database, id)));
};

export const createUser: Endpoint = async (call) => {
  await requireServiceRole(call);
  const fields = await readBody(call, attributes);
  const { email, phone } = fields;
  if (!email && !phone) throw authError('validation_failed', 'Cannot create a user without either an email or phone');
  const encryptedPassword =
    (await newPassword(call, fields)) ?? (await hashPassword(randomBytes(24).toString('base64')));
  const user = await call.auth.database
    .transaction(async (tx) => {
      const newUser = await insertUser(tx, {
        id: fields.id ?? undefined,
        email,
        phone,
        encryptedPassword,
        isEmailConfirmed: fields.email_confirm ?? false,
        isPhoneConfirmed: fields.phone_confirm ?? false,
        role: fields.role ?? undefined,
        userMetadata: { ...fields.user_metadata, ...(fields.email_confirm ? { email_verified: true } : {}) },
        appMetadata: fields.app_metadata ?? {},
      });
      if (email && fields.email_confirm) await recordVerifiedAddress(tx, newUser.id, email);
      if (phone && fields.phone_confirm) await recordVerifiedAddress(tx, newUser.id, phone);
      if (fields.ban_duration) await ban(tx, newUser.id, fields.ban_duration);
      await audit(tx, 'user_signedup', SERVICE_ROLE, call.address, { user_id: newUser.id, user_email: email ?? '' });
      return readUser(tx, newUser.id);
    })
    .catch(throwAddressTaken);
  return Response.json(userJson(user));
};

export const changeUserById: Endpoint = async (call, { id = '' }) => {
  await requireServiceRole(call);
  const fields = await readBody(call, attributes);
  const user = await requireUserById(call.auth.database, id);
  const encryptedPassword = await newPassword(call, fields);
  const updatedUser = await call.auth.database
    .transaction(async (tx) => {
      if (fields.email) await replaceAddress(tx, id, 'email', fields.email);
      if (fields.email_confirm) await confirmAddress(tx, id, 'email', await onlyPendingSignUp(tx, id));
      if (fields.phone) await replaceAddress(tx, id, 'phone', fields.phone);
      if (fields.phone_confirm) await confirmAddress(tx, id, 'phone', await onlyPendingSignUp(tx, id));
      await recordVerifiedAddresses(tx, user, fields);
      await tx.query(
        `update auth.users set updated_at = now(),
           encrypted_password = coalesce($2, encrypted_password),
           role = coalesce($3, role),
           raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || $4::jsonb) - $5::text[],
           raw_app_meta_data = (coalesce(raw_app_meta_data, '{}') || $6::jsonb) - $7::text[]
         where id = $1`,
        [
          id,
          encryptedPassword,
          fields.role,
          fields.user_metadata ?? {},
          nullKeys(fields.user_metadata),
          fields.app_metadata ?? {},
          nullKeys(fields.app_metadata),
        ],
      );
      if (fields.user_metadata) requireMetadataFits(user, await readUser(tx, id));
      if (fields.ban_duration) await ban(tx, id, fields.ban_duration);
      // A new password ends all sessions that used the old one.
      if (encryptedPassword) {
        await tx.query('delete from auth.sessions where user_id = $1', [id]);
        await deleteKnownNetworks(tx, id);
      }
      await audit(tx, 'user_modified', SERVICE_ROLE, call.address, { user_id: id });
      return readUser(tx, id);
    })
    .catch(throwAddressTaken);
  return Response.json(userJson(updatedUser));
};

const deletion = z.object({ should_soft_delete: z.boolean().default(false) });

export const deleteUserById: Endpoint = async (call, { id = '' }) => {
  await requireServiceRole(call);
  const { should_soft_delete: isSoft } = await readBody(call, deletion);
  const user = await requireUserById(call.auth.database, id);
  await call.auth.database.transaction(async (tx) => {
    if (isSoft) await softDelete(tx, user);
    else await tx.query('delete from auth.users where id = $1', [id]);
    await audit(tx, 'user_deleted', SERVICE_ROLE, call.address, { user_id: id, user_email: user.email ?? '' });
  });
  return Response.json({});
};

/** @throws ApiError 404 user_not_found; 404 validation_failed if the id is not a UUID */
export async function requireUserById(database: Queryable, id: string): Promise<UserRow> {
  if (!isUuid(id)) throw authError('validation_failed', 'user_id must be an UUID', 404);
  const user = await findUserById(database, id);
  if (!user) throw authError('user_not_found');
  return user;
}

async function newPassword(call: AuthCall, fields: z.output<typeof attributes>): Promise<string | undefined> {
  if (fields.password_hash) return fields.password_hash;
  if (!fields.password) return undefined;
  requireStrongPassword(call.auth.config, fields.password);
  return hashPassword(fields.password);
}

/** Records an address as verified if the service role confirms it, or if it replaces a verified address. */
async function recordVerifiedAddresses(
  tx: Queryable,
  user: UserRow,
  fields: z.output<typeof attributes>,
): Promise<void> {
  for (const kind of ['email', 'phone'] as const) {
    const address = fields[kind] || user[kind];
    const isVerified =
      address && (fields[`${kind}_confirm`] || (await isAddressVerified(tx, user.id, user[kind] ?? '')));
    if (isVerified) await recordVerifiedAddress(tx, user.id, address);
  }
}

/** Sets a new address. Invalidates links and codes sent to the old one, and a pending change of address. */
async function replaceAddress(tx: Queryable, id: string, kind: 'email' | 'phone', address: string): Promise<void> {
  await tx.query(
    `update auth.users set ${kind} = $2::text, ${kind}_change = '',
       raw_user_meta_data = case when raw_user_meta_data ? '${kind}'
         then raw_user_meta_data || jsonb_build_object('${kind}', $2::text) else raw_user_meta_data end
     where id = $1`,
    [id, address],
  );
  await updateIdentity(tx, id, kind, address);
  await revokeTokens(tx, id, [
    'recovery_token',
    ...(kind === 'email' ? CHANGE_TOKENS : (['phone_change_token'] as const)),
  ]);
}

/** Writes the address to the identity of this provider. Creates the identity if it is missing. */
async function updateIdentity(tx: Queryable, id: string, provider: 'email' | 'phone', address: string): Promise<void> {
  const { rowCount } = await tx.query(
    `update auth.identities set identity_data = identity_data || jsonb_build_object($2::text, $3::text), updated_at = now()
     where user_id = $1 and provider = $2`,
    [id, provider, address],
  );
  if (rowCount > 0) return;
  const data = provider === 'email' ? emailClaims(id, address, false) : phoneClaims(id, address, false);
  await addIdentity(tx, id, { provider, providerId: id, data });
}

/** Bans for a duration (Go's notation, such as 24h or 1h30m) and ends all sessions, or lifts the ban with "none". */
async function ban(tx: Queryable, id: string, duration: string): Promise<void> {
  if (duration === 'none') {
    await tx.query('update auth.users set banned_until = null where id = $1', [id]);
    return;
  }
  await tx.query(`update auth.users set banned_until = now() + make_interval(secs => $2) where id = $1`, [
    id,
    parseDuration(duration),
  ]);
  await tx.query('select private.end_sessions_of($1)', [id]);
}

const UNIT_SECONDS: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 0.001 };

function parseDuration(duration: string): number {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(duration)) {
    throw authError(
      'validation_failed',
      `invalid format for ban duration: time: invalid duration ${JSON.stringify(duration)}`,
    );
  }
  let seconds = 0;
  for (const [, amount, , unit = ''] of duration.matchAll(/(\d+(\.\d+)?)(h|ms|m|s)/g)) {
    seconds += Number(amount) * (UNIT_SECONDS[unit] ?? 0);
  }
  return seconds;
}

/** Removes all personal data, but keeps the row, because other rows refer to it. */
async function softDelete(tx: Queryable, user: UserRow): Promise<void> {
  const emailHash = createHash('sha256').update(`${user.id}${user.email}`).digest('hex');
  await tx.query(
    `update auth.users set email = $2, phone = null, encrypted_password = '', email_change = '',
       phone_change = '', raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = now(), updated_at = now() where id = $1`,
    [user.id, emailHash],
  );
  for (const table of [
    'auth.sessions',
    'auth.identities',
    'auth.mfa_factors',
    'auth.webauthn_credentials',
    'backend.mailed_tokens',
    'backend.known_networks',
    'private.verified_addresses',
  ]) {
    await tx.query(`delete from ${table} where user_id = $1`, [user.id]);
  }
}

function nullKeys(metadata: Record<string, unknown> | null | undefined): string[] {
  return Object.entries(metadata ?? {}).flatMap(([key, value]) => (value === null ? [key] : []));
}
