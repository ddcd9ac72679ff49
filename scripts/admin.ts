/** `npm run admin -- add|remove|list <email>`: who is admin. Uses the same settings as the server. */
import { z } from 'zod';
import { addAdmin, listAdmins, removeAdmin } from '../backend/first-admin.ts';
import { Refusal, runCommand } from './run-command.ts';

const USAGE = `Usage:
  npm run admin -- list
  npm run admin -- add <email>
  npm run admin -- remove <email>`;

const [command = '', email = ''] = process.argv.slice(2);

function requireEmail(): string {
  if (!email) throw new Refusal(USAGE);
  if (!z.email().max(255).safeParse(email.trim()).success) throw new Refusal(`${email} is not an e-mail address.`);
  return email;
}

await runCommand(() => {
  if (command === 'list') {
    return async (database) => {
      const admins = await listAdmins(database);
      if (admins.length === 0) return 'There is no admin.';
      return admins.map((admin) => `${admin.email} (since ${admin.created_at.toISOString().slice(0, 10)})`).join('\n');
    };
  }
  const address = requireEmail();
  if (command === 'add') {
    return async (database) => {
      const added = await addAdmin(database, address);
      return added.password
        ? `${added.email} is an admin now. The password is ${added.password} (shown only once).`
        : `${added.email} is an admin now and signs in with the same password as before.`;
    };
  }
  if (command === 'remove') {
    return async (database) => {
      const wasAdmin = await removeAdmin(database, address);
      return wasAdmin ? `${address} is no longer an admin, but a client.` : `${address} is not an admin.`;
    };
  }
  throw new Refusal(USAGE);
});
