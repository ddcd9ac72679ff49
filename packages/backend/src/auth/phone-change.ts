/**
 * Changing an account's phone number requires a code sent to the new number. The response is the same for a number that
 * already has an account, but no message is sent to it. The response thus does not reveal whether an account exists.
 */
import type { Queryable } from '../database/database.ts';
import { newToken, revokeTokens, storeToken } from './one-time-tokens.ts';
import { addIdentity, findUserByPhone, phoneClaims } from './users.ts';

/**
 * Stores the requested number and replaces an earlier request. @returns the code for the new number, or undefined
 * if an account has it
 */
export async function requestPhoneChange(tx: Queryable, userId: string, phone: string): Promise<string | undefined> {
  await tx.query('update auth.users set phone_change = $2, updated_at = now() where id = $1', [userId, phone]);
  const token = newToken();
  await storeToken(tx, token, { userId, type: 'phone_change_token', recipient: phone });
  return (await findUserByPhone(tx, phone)) ? undefined : token.code;
}

/**
 * Sets the account's new number. Codes sent to the previous one become invalid.
 * @throws DatabaseError 23505 if another account has the number
 */
export async function completePhoneChange(tx: Queryable, userId: string): Promise<void> {
  const { rows } = await tx.query<{ phone: string; has_identity: boolean }>(
    `with changed as (
      update auth.users set phone = phone_change, phone_change = '', phone_confirmed_at = now(), is_anonymous = false,
        raw_user_meta_data = coalesce(raw_user_meta_data, '{}')
          || jsonb_build_object('sub', id, 'phone', phone_change, 'phone_verified', true),
        updated_at = now()
      where id = $1 and phone_change <> '' returning id, phone
    ), updated_identity as (
      update auth.identities i set updated_at = now(),
        identity_data = identity_data || jsonb_build_object('phone', changed.phone, 'phone_verified', true)
      from changed where i.user_id = changed.id and i.provider = 'phone' returning i.id
    )
    select phone, exists (select from updated_identity) as has_identity from changed`,
    [userId],
  );
  const [user] = rows;
  if (user && !user.has_identity) {
    const data = phoneClaims(userId, user.phone, true);
    await addIdentity(tx, userId, { provider: 'phone', providerId: userId, data });
  }
  await revokeTokens(tx, userId, ['confirmation_token', 'recovery_token', 'reauthentication_token']);
}
