/** `npm run admin -- add|remove|list <email>`: who is admin. Uses the same settings as the server. */
import { mkdir } from 'node:fs/promises';
import { pino } from 'pino';
import { z } from 'zod';
import { ConfigError, parseConfig } from '../backend/config.ts';
import { createBackend } from '../backend/create-backend.ts';
import type { Database } from '../backend/database/database.ts';
import { FolderLockedError } from '../backend/database/folder-lock.ts';
import { addAdmin, listAdmins, removeAdmin } from '../backend/first-admin.ts';

const USAGE = `Usage:
  npm run admin -- list
  npm run admin -- add <email>
  npm run admin -- remove <email>`;

const [command = '', email = ''] = process.argv.slice(2);

async function run(database: Database): Promise<string> {
  if (command === 'list') {
    const admins = await listAdmins(database);
    if (admins.length === 0) return 'There is no admin.';
    return admins.map((admin) => `${admin.email} (since ${admin.created_at.toISOString().slice(0, 10)})`).join('\n');
  }
  if (command === 'add') {
    const added = await addAdmin(database, email);
    return added.password
      ? `${added.email} is an admin now. The password is ${added.password} (shown only once).`
      : `${added.email} is an admin now and signs in with the same password as before.`;
  }
  const wasAdmin = await removeAdmin(database, email);
  return wasAdmin ? `${email} is no longer an admin, but a client.` : `${email} is not an admin.`;
}

async function main(): Promise<void> {
  const needsEmail = command === 'add' || command === 'remove';
  if (command !== 'list' && !needsEmail) throw new Refusal(USAGE);
  if (needsEmail && !z.email().max(255).safeParse(email.trim()).success) {
    throw new Refusal(email ? `${email} is not an e-mail address.` : USAGE);
  }
  const config = parseConfig(process.env);
  if (config.SUPABASE_URL) {
    throw new Refusal('With SUPABASE_URL, roles are in that project: change public.user_roles in its SQL editor.');
  }
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const backend = await createBackend(config, { log: pino({ level: 'silent' }) });
  try {
    console.log(await run(backend.database));
  } finally {
    await backend.close();
  }
}

/** What the person did wrong, in words. */
class Refusal extends Error {}

try {
  await main();
} catch (error) {
  if (error instanceof FolderLockedError) {
    console.error('The server is running on this data folder. Stop it, run this again, and start it.');
  } else if (error instanceof Refusal || error instanceof ConfigError) {
    console.error(error.message);
  } else {
    console.error(error);
  }
  process.exitCode = 1;
}
