/** Waits for text messages in the outbox. Needs vitest. */
import { vi } from 'vitest';
import { messagesTo } from './outbox-messages.ts';

export { messagesTo };

/**
 * Waits for the `number`th message to a phone number (the first is 1) and returns its code.
 * @throws Error if it does not arrive within a minute
 */
export function nextCode(dataFolder: string, phone: string, number = 1): Promise<string> {
  return vi.waitFor(async () => {
    const message = (await messagesTo(dataFolder, phone))[number - 1];
    const code = /\b\d{6}\b/.exec(message ?? '')?.[0];
    if (!code) throw new Error(`Message ${number} to ${phone} did not arrive`);
    return code;
  }, 120_000);
}
