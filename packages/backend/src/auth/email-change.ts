/**
 * Changing an account's email address requires two confirmations, one from each mailbox. A stolen session is not enough
 * to take the account over, and an address cannot be claimed without reading its mail. The response is the same for an
 * address that already has an account, but no mail is sent to it. The response thus does not reveal whether an account
 * exists.
 */
import type { Queryable } from '../database/database.ts';
import { enqueueMail, UNDELIVERABLE } from '../mail/mail-queue.ts';
import type { AuthCall } from './auth-call.ts';
import { type CodeChallenge, startFlow } from './flow-states.ts';
import { type Recipient, redirectTarget } from './mails.ts';
import { newToken, revokeTokens, storeToken } from './one-time-tokens.ts';
import { addIdentity, emailClaims, findUserByEmail, type UserRow } from './users.ts';

/** Tokens of a pending change. */
export const CHANGE_TOKENS = ['email_change_token_new', 'email_change_token_current'] as const;

/** Stores the requested address and sends a link and a code to both addresses. Replaces an earlier request. */
export async function requestEmailChange(
  tx: Queryable,
  call: AuthCall,
  user: Recipient,
  newEmail: string,
  challenge: CodeChallenge | undefined,
): Promise<void> {
  await tx.query(
    'update auth.users set email_change = $2, email_change_confirm_status = $3, updated_at = now() where id = $1',
    [user.id, newEmail, user.email ? 0 : 1],
  );
  const flowId = challenge && (await startFlow(tx, user.id, 'email_change', challenge));
  const isTaken = (await findUserByEmail(tx, newEmail)) !== undefined;
  const redirectTo = redirectTarget(call);
  const recipients = [
    { type: 'email_change_token_current', email: user.email, isDelivered: true },
    { type: 'email_change_token_new', email: newEmail, isDelivered: !isTaken },
  ] as const;
  for (const { type, email, isDelivered } of recipients) {
    if (!email) continue;
    const token = newToken({ isPkce: challenge !== undefined });
    await storeToken(tx, token, { userId: user.id, type, recipient: email, flowId });
    await enqueueMail(tx, isDelivered ? email : UNDELIVERABLE, 'email_change', {
      SiteURL: call.siteUrl,
      Email: user.email ?? '',
      NewEmail: newEmail,
      Token: token.code,
      TokenHash: token.link,
      RedirectTo: redirectTo,
    });
  }
}

/**
 * Records one confirmation. The second confirmation changes the address.
 * @throws DatabaseError 23505 if another account now has the address
 */
export async function completeEmailChange(tx: Queryable, user: UserRow): Promise<'pending' | 'changed'> {
  if (user.email_change_confirm_status === 0) {
    await tx.query('update auth.users set email_change_confirm_status = 1, updated_at = now() where id = $1', [
      user.id,
    ]);
    return 'pending';
  }
  await setConfirmedEmail(tx, user.id, user.email_change ?? '');
  return 'changed';
}

/**
 * Sets the account's address and confirms it. Links and codes sent to the previous address become invalid.
 * @throws DatabaseError 23505 if another account has the address
 */
export async function setConfirmedEmail(tx: Queryable, userId: string, email: string): Promise<void> {
  const { rowCount } = await tx.query(
    `with changed as (
      update auth.users set email = $2::text, email_change = '', email_change_confirm_status = 0, email_confirmed_at = now(),
        is_anonymous = false, raw_user_meta_data = coalesce(raw_user_meta_data, '{}')
          || jsonb_build_object('sub', id, 'email', $2::text, 'email_verified', true),
        updated_at = now()
      where id = $1 returning id
    )
    update auth.identities i set updated_at = now(),
      identity_data = identity_data || jsonb_build_object('email', $2::text, 'email_verified', true)
    from changed where i.user_id = changed.id and i.provider = 'email'`,
    [userId, email],
  );
  if (rowCount === 0) {
    const data = emailClaims(userId, email, true);
    await addIdentity(tx, userId, { provider: 'email', providerId: userId, data });
  }
  await revokeTokens(tx, userId, ['confirmation_token', 'recovery_token', 'reauthentication_token', ...CHANGE_TOKENS]);
}
