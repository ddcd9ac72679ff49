/** Codes of authenticator apps (RFC 6238): six digits that change every 30 seconds. Every app supports SHA-1. */
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import type { Queryable } from '../../database/database.ts';

const OPTIONS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Tolerated clock drift in steps, in either direction. */
const SKEW = 1;

export interface Enrolment {
  /** Raw SVG without `#` and `%`, because the official client puts it into a data URL without escaping. */
  qr_code: string;
  secret: string;
  uri: string;
}

export function newEnrolment(issuer: string, account: string): Enrolment {
  const secret = new Secret({ size: 20 });
  const uri = new TOTP({ ...OPTIONS, issuer, label: account, secret }).toString();
  return { qr_code: renderSVG(uri, { ecc: 'M', border: 4 }), secret: secret.base32, uri };
}

/** Returns the time step of this code, or null if it matches no current step. */
export function matchingTimeStep(secret: string, code: string): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = Date.now();
  const delta = new TOTP({ ...OPTIONS, secret: Secret.fromBase32(secret) }).validate({
    token: code,
    timestamp,
    window: SKEW,
  });
  return delta === null ? null : TOTP.counter({ period: OPTIONS.period, timestamp }) + delta;
}

/** Redeems a time step and all earlier ones. Returns false if a code of this or a later step has been used. */
export async function redeemTimeStep(tx: Queryable, factorId: string, step: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into backend.totp_steps as s (factor_id, last_step) values ($1, $2)
     on conflict (factor_id) do update set last_step = excluded.last_step where s.last_step < excluded.last_step`,
    [factorId, step],
  );
  return rowCount > 0;
}
