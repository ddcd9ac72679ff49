/** POST /recover: mails a link to set a new password. Response and response time are the same for unknown addresses. */
import { z } from 'zod';
import { audit } from './audit-log.ts';
import { type Endpoint, emailField, readBody } from './auth-call.ts';
import { challengeFields, readChallengeWithSession } from './flow-states.ts';
import { limitMail } from './limits.ts';
import { sendLink, UNKNOWN_RECIPIENT } from './mails.ts';
import { findUserByEmail } from './users.ts';

const body = z.object({ email: emailField, ...challengeFields });

export const recover: Endpoint = async (call) => {
  const fields = await readBody(call, body);
  const { email } = fields;
  const challenge = await readChallengeWithSession(call, fields);
  await limitMail(call, email);
  call.auth.runInBackground(() =>
    call.auth.database.transaction(async (tx) => {
      const account = (await findUserByEmail(tx, email)) ?? UNKNOWN_RECIPIENT;
      await sendLink(tx, call, account, 'recovery', challenge);
      await audit(tx, 'user_recovery_requested', { id: account.id, email: account.email ?? '' }, call.address);
    }),
  );
  return Response.json({});
};
