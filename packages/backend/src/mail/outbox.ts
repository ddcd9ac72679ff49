/** Mailer that is used without a mail server. Writes each message to a file in DATA_DIR/outbox. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export function outboxFolder(dataFolder: string): string {
  return join(dataFolder, 'outbox');
}

/**
 * Writes a message to a file atomically. Only the owner of the process can read it, because messages contain secrets.
 * @returns the path of the file
 */
export async function writeToOutbox(
  dataFolder: string,
  recipient: string,
  extension: 'eml' | 'sms',
  content: string | Buffer,
): Promise<string> {
  const folder = outboxFolder(dataFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replaceAll(':', '-');
  const name = `${time}-${recipient.replaceAll(/[^a-zA-Z0-9@._-]/g, '_')}-${crypto.randomUUID().slice(0, 8)}.${extension}`;
  const file = join(folder, name);
  await writeFile(`${file}.part`, content, { mode: 0o600 });
  await rename(`${file}.part`, file);
  return file;
}
