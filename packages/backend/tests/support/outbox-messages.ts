/** Reads the text messages that a backend without a provider wrote to DATA_DIR/outbox. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns all messages to a number (E.164 without the plus sign), oldest first. */
export async function messagesTo(dataFolder: string, phone: string): Promise<string[]> {
  const folder = join(dataFolder, 'outbox');
  const files = await readdir(folder).catch(() => []);
  const messageFiles = files.filter((file) => file.endsWith('.sms') && file.includes(`Z-${phone}-`)).sort();
  return Promise.all(messageFiles.map((file) => readFile(join(folder, file), 'utf8')));
}
