/**
 * `npm run admin -- list|add|remove|password|reset-factors`: manages admins and resets lost passwords and factors. Uses
 * the environment of the server, which may be running.
 */

import { text } from 'node:stream/consumers';
import { OperatorError, parseConfig } from '@signalfjord/backend';
import { requireStrongPassword, WeakPasswordError } from '@signalfjord/backend/commands';
import { z } from 'zod';
import { addAdmin, listAdmins, removeAdmin, resetFactors, setPassword } from '../server/first-admin.ts';
import { SITE_OPTIONS } from '../server/options.ts';
import { runCommand } from './run-command.ts';

const USAGE = `Usage:
  npm run admin -- list
  npm run admin -- add <email>
  npm run admin -- remove <email>
  npm run admin -- password <email>             sets a random password, shows it once, and ends all sessions
  npm run admin -- password <email> --stdin     reads the new password from standard input
  npm run admin -- reset-factors <email>`;

const [command = '', email = '', option = ''] = process.argv.slice(2);

function requireEmail(): string {
  if (!email) throw new OperatorError(USAGE);
  if (!z.email().max(255).safeParse(email.trim()).success)
    throw new OperatorError(`${email} is not a valid email address.`);
  return email;
}

/** Reads a password from stdin. @throws OperatorError if it violates the password rules */
async function readPassword(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  try {
    requireStrongPassword(parseConfig(process.env, SITE_OPTIONS), password);
  } catch (error) {
    if (error instanceof WeakPasswordError) throw new OperatorError(error.message);
    throw error;
  }
  return password;
}

await runCommand(async () => {
  if (command === 'list') {
    return async (database) => {
      const admins = await listAdmins(database);
      if (admins.length === 0) return 'There are no admins.';
      return admins.map((admin) => `${admin.email} (since ${admin.created_at.toISOString().slice(0, 10)})`).join('\n');
    };
  }
  const address = requireEmail();
  if (command === 'add') {
    return async (database) => {
      const admin = await addAdmin(database, address);
      return admin.password
        ? `${admin.email} is now an admin. The password is ${admin.password} (shown only once).`
        : `${admin.email} is now an admin. The password has not changed.`;
    };
  }
  if (command === 'remove') {
    return async (database) => {
      const wasAdmin = await removeAdmin(database, address);
      return wasAdmin ? `${address} is no longer an admin and now has the role client.` : `${address} is not an admin.`;
    };
  }
  if (command === 'password' && (option === '' || option === '--stdin')) {
    const password = option ? await readPassword() : null;
    return async (database) => {
      const generated = await setPassword(database, address, password);
      if (generated === undefined) throw new OperatorError(`No account found for ${address}.`);
      const source =
        generated === null ? 'the password from standard input' : `the password ${generated} (shown only once)`;
      return `${address} has ${source} and is signed out everywhere.`;
    };
  }
  if (command === 'reset-factors') {
    return async (database) => {
      const count = await resetFactors(database, address);
      if (count === null) throw new OperatorError(`No account found for ${address}.`);
      const factors = count === 1 ? '1 second factor' : `${count} second factors`;
      return `${address} had ${factors}. They and all passkeys were removed, and the account was signed out everywhere. It can sign in with its password.`;
    };
  }
  throw new OperatorError(USAGE);
});
