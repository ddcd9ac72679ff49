/** Queues the mails of this service. Token, code challenge and queued message are written in one transaction. */
import type { Queryable } from '../database/database.ts';
import { type AuthTemplate, enqueueMail, UNDELIVERABLE } from '../mail/mail-queue.ts';
import type { AuthCall } from './auth-call.ts';
import type { AuthenticationMethod } from './authentication-methods.ts';
import { type CodeChallenge, startFlow } from './flow-states.ts';
import { newToken, type OneTimeToken, type PendingSignUp, storeToken, type TokenType } from './one-time-tokens.ts';
import { allowedRedirect } from './redirects.ts';

/** Link types accepted by GET /verify. */
export type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change';

interface Mailing {
  template: AuthTemplate;
  token: TokenType;
  method: AuthenticationMethod;
}

export const MAILINGS: Record<Exclude<LinkType, 'email_change'>, Mailing> = {
  signup: { template: 'confirmation', token: 'confirmation_token', method: 'email/signup' },
  invite: { template: 'invite', token: 'confirmation_token', method: 'invite' },
  magiclink: { template: 'magic_link', token: 'recovery_token', method: 'magiclink' },
  recovery: { template: 'recovery', token: 'recovery_token', method: 'recovery' },
};

/** Returns the URL that a verified link redirects to: `redirect_to` of the request, if allowed. */
export function redirectTarget(call: AuthCall, fromBody?: string | null): string {
  return allowedRedirect(call.auth.config, call.siteUrl, call.url.searchParams.get('redirect_to') ?? fromBody);
}

/** Returns the link for API clients. Mails link to a page of the site instead, which opens this link on a click. */
export function buildLink(call: AuthCall, type: LinkType, token: OneTimeToken, redirectTo: string): string {
  const query = new URLSearchParams({ token: token.link, type, redirect_to: redirectTo });
  return `${call.siteUrl}/auth/v1/verify?${query}`;
}

/** The fields of an account that mails need. */
export interface Recipient {
  id: string;
  email: string | null;
}

/**
 * Placeholder for an address without an account. The same statements run as for an account, and a mail is rendered
 * but not sent, so that the response time does not reveal whether an account exists.
 */
export const UNKNOWN_RECIPIENT: Recipient = { id: '00000000-0000-0000-0000-000000000000', email: UNDELIVERABLE };

/** Sends a mail to the account's own address. `pendingSignUp` is the data of the sign-up that it confirms. */
export async function sendLink(
  tx: Queryable,
  call: AuthCall,
  user: Recipient,
  type: keyof typeof MAILINGS,
  challenge: CodeChallenge | undefined,
  pendingSignUp?: PendingSignUp,
): Promise<void> {
  const email = user.email ?? '';
  const { template, token: tokenType, method } = MAILINGS[type];
  const token = newToken({ isPkce: challenge !== undefined });
  const flowId = challenge && (await startFlow(tx, user.id, method, challenge));
  await storeToken(tx, token, { userId: user.id, type: tokenType, recipient: email, flowId, pendingSignUp });
  const redirectTo = redirectTarget(call);
  await enqueueMail(tx, email, template, {
    SiteURL: call.siteUrl,
    Email: email,
    Token: token.code,
    TokenHash: token.link,
    RedirectTo: redirectTo,
  });
}
