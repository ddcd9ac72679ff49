/**
 * /factors/recovery-codes: ten single-use codes for users who lost their other factors. GET returns the number of
 * unused codes, POST creates codes, POST …/regenerate replaces them, POST …/verify redeems a code, and DELETE deletes
 * all codes. They are never the only factor. Mirrors mfa_recovery_codes.go of Supabase Auth.
 */
import { createHash, randomInt } from 'node:crypto';
import { z } from 'zod';
import { DatabaseError, type Queryable } from '../../database/database.ts';
import { audit } from '../audit-log.ts';
import { type Endpoint, readBody, requireUser, type SignedIn } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { tokenJson } from '../sessions.ts';
import { readUser } from '../users.ts';
import { raiseSession } from './assurance.ts';
import { AMR_NAMES, deleteFactor, hasOtherFactor, insertFactor, requireFactor } from './factor-rows.ts';

const COUNT = 10;
const CODE_LENGTH = 16;
/** Characters of codes, without look-alikes. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const MAX_FAILURES = 5;
const LOCK_MINUTES = 15;

interface CodeSetRow {
  id: string;
  mfa_factor_id: string;
  friendly_name: string | null;
  total: number;
  remaining: number;
}

export const readRecoveryCodes: Endpoint = async (call) => {
  const { user } = await requireUser(call);
  const set = await requireCodeSet(call.auth.database, user.id);
  const { mfa_factor_id: id, total, remaining } = set;
  return Response.json({ id, type: 'recovery_code', total, remaining });
};

const generateBody = z.object({
  friendly_name: z.string().max(120, 'friendly_name must be 120 characters or less').nullish(),
});

export const generateRecoveryCodes: Endpoint = async (call) => {
  const signedIn = await requireUser(call);
  const { user } = signedIn;
  const friendlyName = (await readBody(call, generateBody)).friendly_name || 'Recovery codes';
  requireAal2(signedIn, 'AAL2 required to generate recovery codes');
  const codes = newCodes();
  const factorId = await call.auth.database
    .transaction(async (tx) => {
      if (await findCodeSet(tx, user.id)) throw alreadyEnrolled();
      const id = await insertFactor(tx, user.id, { type: 'recovery_code', friendlyName, status: 'verified' });
      if (!(await hasOtherFactor(tx, user.id))) throw authError('mfa_recovery_codes_sole_factor');
      const setId = crypto.randomUUID();
      await tx.query('insert into auth.mfa_recovery_code_sets (id, user_id, mfa_factor_id) values ($1, $2, $3)', [
        setId,
        user.id,
        id,
      ]);
      await insertCodes(tx, setId, codes);
      await audit(tx, 'recovery_codes_generated', toActor(signedIn), call.address, { factor_id: id, count: COUNT });
      return id;
    })
    .catch((error: unknown) => {
      if (error instanceof DatabaseError && error.constraint?.startsWith('mfa_recovery_code_sets'))
        throw alreadyEnrolled();
      throw error;
    });
  return Response.json(codeSetJson(factorId, friendlyName, codes));
};

export const regenerateRecoveryCodes: Endpoint = async (call) => {
  const signedIn = await requireUser(call);
  requireAal2(signedIn, 'AAL2 required to regenerate recovery codes');
  const codes = newCodes();
  const set = await call.auth.database.transaction(async (tx) => {
    const codeSet = await requireCodeSet(tx, signedIn.user.id);
    // This also locks the set, so that the codes of two concurrent requests are not mixed.
    await tx.query(
      `update auth.mfa_recovery_code_sets set failed_verification_count = 0, verification_locked_until = null,
         updated_at = now() where id = $1`,
      [codeSet.id],
    );
    await tx.query('delete from auth.mfa_recovery_codes where mfa_recovery_code_set_id = $1', [codeSet.id]);
    await insertCodes(tx, codeSet.id, codes);
    const traits = { factor_id: codeSet.mfa_factor_id, count: COUNT };
    await audit(tx, 'recovery_codes_regenerated', toActor(signedIn), call.address, traits);
    return codeSet;
  });
  return Response.json(codeSetJson(set.mfa_factor_id, set.friendly_name ?? '', codes));
};

export const deleteRecoveryCodes: Endpoint = async (call) => {
  const signedIn = await requireUser(call);
  const { user } = signedIn;
  requireAal2(signedIn, 'AAL2 required to delete recovery codes');
  const id = await call.auth.database.transaction(async (tx) => {
    const set = await requireCodeSet(tx, user.id);
    await deleteFactor(tx, await requireFactor(tx, user.id, set.mfa_factor_id));
    await audit(tx, 'recovery_codes_deleted', toActor(signedIn), call.address, { factor_id: set.mfa_factor_id });
    return set.mfa_factor_id;
  });
  return Response.json({ id });
};

const verifyBody = z.object({ code: z.string().max(200).nullish() });

export const verifyRecoveryCode: Endpoint = async (call) => {
  const signedIn = await requireUser(call);
  const { user, sessionId } = signedIn;
  const { database, limits } = call.auth;
  await limits.codePerAddress.consume(call.address);
  const code = normalize((await readBody(call, verifyBody)).code ?? '');
  if (!code) throw authError('validation_failed', 'Code needs to be non-empty');
  const set = await countFailure(database, user.id);
  const outcome = await database.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `update auth.mfa_recovery_codes set consumed_at = now()
       where mfa_recovery_code_set_id = $1 and code_hash = $2 and consumed_at is null`,
      [set.id, hashCode(set.id, code)],
    );
    if (rowCount === 0) throw verificationFailed();
    await tx.query(
      `update auth.mfa_recovery_code_sets set failed_verification_count = 0, verification_locked_until = null,
         updated_at = now() where id = $1`,
      [set.id],
    );
    const session = await raiseSession(tx, { userId: user.id, sessionId }, set.mfa_factor_id, AMR_NAMES.recovery_code);
    await audit(tx, 'recovery_codes_verified', toActor(signedIn), call.address, { factor_id: set.mfa_factor_id });
    return { session, user: await readUser(tx, user.id) };
  });
  return Response.json(await tokenJson(call, outcome.user, outcome.session));
};

/**
 * Counts an attempt as failed before the code is looked up. A correct code resets the count.
 * @throws ApiError 422 without codes, 429 while they are locked
 */
async function countFailure(database: Queryable, userId: string): Promise<{ id: string; mfa_factor_id: string }> {
  const { rows } = await database.query<{ id: string; mfa_factor_id: string }>(
    `update auth.mfa_recovery_code_sets set updated_at = now(),
       failed_verification_count = case when verification_locked_until is null then failed_verification_count + 1 else 1 end,
       verification_locked_until = case
         when verification_locked_until is null and failed_verification_count + 1 >= ${MAX_FAILURES}
         then clock_timestamp() + interval '${LOCK_MINUTES} minutes' end
     where user_id = $1 and (verification_locked_until is null or verification_locked_until <= clock_timestamp())
     returning id, mfa_factor_id`,
    [userId],
  );
  if (rows[0]) return rows[0];
  throw (await findCodeSet(database, userId)) ? authError('mfa_recovery_codes_locked') : verificationFailed();
}

async function findCodeSet(database: Queryable, userId: string): Promise<CodeSetRow | undefined> {
  const { rows } = await database.query<CodeSetRow>(
    `select s.id, s.mfa_factor_id, f.friendly_name, count(c.id)::int as total,
       (count(c.id) filter (where c.consumed_at is null))::int as remaining
     from auth.mfa_recovery_code_sets s
     join auth.mfa_factors f on f.id = s.mfa_factor_id
     left join auth.mfa_recovery_codes c on c.mfa_recovery_code_set_id = s.id
     where s.user_id = $1 group by s.id, f.id`,
    [userId],
  );
  return rows[0];
}

/** @throws ApiError 404 */
async function requireCodeSet(database: Queryable, userId: string): Promise<CodeSetRow> {
  const set = await findCodeSet(database, userId);
  if (!set) throw authError('mfa_factor_not_found', 'The user has not enrolled recovery codes');
  return set;
}

/** Always requires aal2, because a user with recovery codes also has another factor. */
function requireAal2({ aal }: SignedIn, message: string): void {
  if (aal !== 'aal2') throw authError('insufficient_aal', message);
}

function alreadyEnrolled() {
  return authError(
    'mfa_verified_factor_exists',
    'Recovery codes are already enrolled for this user, use regenerate to rotate them',
  );
}

function verificationFailed() {
  return authError('mfa_verification_failed', 'Invalid recovery code entered');
}

function toActor({ user }: SignedIn) {
  return { id: user.id, email: user.email ?? '' };
}

function codeSetJson(id: string, friendlyName: string, codes: string[]) {
  return { id, type: 'recovery_code', friendly_name: friendlyName, total: codes.length, codes };
}

function newCodes(): string[] {
  const newCode = () => Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: COUNT }, newCode);
}

async function insertCodes(tx: Queryable, setId: string, codes: string[]): Promise<void> {
  await tx.query(
    `insert into auth.mfa_recovery_codes (id, mfa_recovery_code_set_id, code_hash)
     select gen_random_uuid(), $1, unnest($2::text[])`,
    [setId, codes.map((code) => hashCode(setId, code))],
  );
}

/** Normalizes a typed code: case, spaces and hyphens are ignored. */
function normalize(code: string): string {
  return code.toLowerCase().replace(/[\s-]+/g, '');
}

function hashCode(setId: string, code: string): string {
  return createHash('sha256').update(`${setId} ${code}`).digest('hex');
}
