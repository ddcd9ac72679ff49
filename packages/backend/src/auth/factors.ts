/** POST /factors starts the enrolment of a second factor, and DELETE /factors/{id} deletes a factor. */
import { z } from 'zod';
import { audit } from './audit-log.ts';
import {
  type AuthCall,
  type Endpoint,
  readBody,
  requireNotAnonymous,
  requireUser,
  type SignedIn,
  validate,
} from './auth-call.ts';
import { authError } from './error-codes.ts';
import {
  deleteFactor,
  hasOtherFactor,
  insertFactor,
  type NewFactor,
  requireFactor,
  requireSecondFactor,
} from './factors/factor-rows.ts';
import { newEnrolment } from './factors/totp.ts';
import { phoneField } from './phone.ts';
import { requireLiveSession } from './verified-addresses.ts';

const body = z.object({
  friendly_name: z.string().max(120, 'friendly_name must be 120 characters or less').nullish(),
  factor_type: z.string().nullish(),
  issuer: z.string().max(120, 'issuer must be 120 characters or less').nullish(),
  phone: z.string().nullish(),
});

type Enrolment = z.output<typeof body>;

export const enrollFactor: Endpoint = async (call) => {
  const signedIn = await requireUser(call);
  requireNotAnonymous(signedIn);
  const fields = await readBody(call, body);
  requireSecondFactor(signedIn, 'AAL2 required to enroll a new factor');
  switch (fields.factor_type) {
    case 'totp':
      return enrollTotp(call, signedIn, fields);
    case 'webauthn':
      return Response.json(
        await enroll(call, signedIn, { type: 'webauthn', friendlyName: fields.friendly_name ?? '' }),
      );
    case 'phone':
      return enrollPhone(call, signedIn, fields);
    default:
      throw authError('validation_failed', 'factor_type needs to be totp, phone, or webauthn');
  }
};

async function enrollTotp(call: AuthCall, signedIn: SignedIn, { friendly_name, issuer }: Enrolment): Promise<Response> {
  const account = signedIn.user.email || signedIn.user.phone || signedIn.user.id;
  const totp = newEnrolment(issuer || new URL(call.siteUrl).host, account);
  const factor = await enroll(call, signedIn, {
    type: 'totp',
    friendlyName: friendly_name ?? '',
    secret: totp.secret,
  });
  return Response.json({ ...factor, totp });
}

/** Replaces an unverified enrolment of the same number. */
async function enrollPhone(call: AuthCall, signedIn: SignedIn, fields: Enrolment): Promise<Response> {
  if (!call.auth.config.AUTH_PHONE) throw authError('mfa_phone_enroll_not_enabled');
  if (!fields.phone) throw authError('validation_failed', 'Phone number required to enroll Phone factor');
  const phone = validate(phoneField, fields.phone);
  const factor = await enroll(call, signedIn, { type: 'phone', friendlyName: fields.friendly_name ?? '', phone });
  return Response.json({ ...factor, phone: fields.phone });
}

async function enroll(call: AuthCall, { user, sessionId }: SignedIn, factor: NewFactor) {
  const id = await call.auth.database.transaction(async (tx) => {
    await requireLiveSession(tx, { userId: user.id, sessionId });
    const factorId = await insertFactor(tx, user.id, factor);
    const actor = { id: user.id, email: user.email ?? '' };
    await audit(tx, 'factor_in_progress', actor, call.address, { factor_id: factorId, factor_type: factor.type });
    return factorId;
  });
  return { id, type: factor.type, friendly_name: factor.friendlyName };
}

export const unenrollFactor: Endpoint = async (call, { id = '' }) => {
  const signedIn = await requireUser(call);
  const { user, sessionId } = signedIn;
  await call.auth.database.transaction(async (tx) => {
    // Lock the account, so that concurrent requests do not delete both last factors and leave only recovery codes.
    await tx.query('select from auth.users where id = $1 for update', [user.id]);
    const factor = await requireFactor(tx, user.id, id);
    if (factor.factor_type === 'recovery_code') {
      throw authError(
        'validation_failed',
        'Recovery codes cannot be unenrolled with this endpoint, use DELETE /factors/recovery-codes',
        422,
      );
    }
    if (factor.status === 'verified') {
      requireSecondFactor(signedIn, 'AAL2 required to unenroll verified factor', 422);
      const hasCodes = user.factors.some((userFactor) => userFactor['factor_type'] === 'recovery_code');
      if (hasCodes && !(await hasOtherFactor(tx, user.id, factor.id))) {
        throw authError(
          'mfa_recovery_codes_sole_factor',
          'Recovery codes cannot be the only verified factor. Please enroll another factor before unenrolling this one or delete your recovery codes.',
        );
      }
    }
    await deleteFactor(tx, factor);
    await audit(tx, 'factor_unenrolled', { id: user.id, email: user.email ?? '' }, call.address, {
      factor_id: factor.id,
      factor_status: factor.status,
      session_id: sessionId,
    });
  });
  return Response.json({ id });
};
