/** POST /recover: mails a link for a new password. Unknown addresses are answered alike, and as fast. */
import { z } from 'zod';
import { audit } from './audit-log.ts';
import { type Endpoint, emailField, readBody } from './auth-call.ts';
import { challengeFields, readChallenge } from './flow-states.ts';
import { limitMail } from './limits.ts';
import { sendLink } from './mails.ts';
import { findUserByEmail } from './users.ts';

const body = z.object({ email: emailField, ...challengeFields });

export const recover: Endpoint = async (call) => {
  const fields = await readBody(call, body);
  const { email } = fields;
  const challenge = readChallenge(fields);
  await limitMail(call.auth.limits, call.address, email);
  call.auth.afterwards(() =>
    call.auth.database.transaction(async (tx) => {
      const user = await findUserByEmail(tx, email);
      if (!user) return;
      await sendLink(tx, call, user, 'recovery', challenge);
      await audit(tx, 'user_recovery_requested', { id: user.id, email }, call.address);
    }),
  );
  return Response.json({});
};
