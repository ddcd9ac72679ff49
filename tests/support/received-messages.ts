/** Reads the text messages that a backend without a provider wrote to DATA_DIR/outbox. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';

/** All messages to that number (E.164 without the plus sign), oldest first. */
export async function messagesTo(dataFolder: string, phone: string): Promise<string[]> {
  const folder = join(dataFolder, 'outbox');
  const files = await readdir(folder).catch(() => []);
  const wanted = files.filter((file) => file.endsWith('.sms') && file.includes(`Z-${phone}-`)).sort();
  return Promise.all(wanted.map((file) => readFile(join(folder, file), 'utf8')));
}

/**
 * The code in the `number`th message to that number (the first is 1), waiting until it is there.
 * @throws Error when it does not come within a minute
 */
export function nextCode(dataFolder: string, phone: string, number = 1): Promise<string> {
  return vi.waitFor(async () => {
    const message = (await messagesTo(dataFolder, phone))[number - 1];
    const code = /\b\d{6}\b/.exec(message ?? '')?.[0];
    if (!code) throw new Error(`Message ${number} to ${phone} did not come`);
    return code;
  }, 60_000);
}
