import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { messagesTo } from '../../packages/backend/tests/support/outbox-messages.ts';

/**
 * Waits for an email to this address in the outbox of a data folder, and returns the newest one. Soft line breaks are
 * removed.
 */
export async function readNewestMail(dataFolder: string, address: string, subject: RegExp): Promise<string> {
  let newest = '';
  await expect(async () => {
    const folder = join(dataFolder, 'outbox');
    const files = (await readdir(folder)).filter((file) => file.endsWith('.eml')).sort();
    const mails = await Promise.all(files.map(async (file) => unfold(await readFile(join(folder, file), 'utf8'))));
    newest = mails.filter((mail) => mail.includes(address) && subject.test(mail)).at(-1) ?? '';
    expect(newest).not.toBe('');
  }).toPass({ timeout: 60_000 });
  return newest;
}

/** Returns the confirmation link in an account email. */
export function extractLink(mail: string): string {
  const link = /https?:\/\/[^\s"<>]+\/auth\/confirm\?[^\s"<>]+/.exec(mail)?.[0];
  if (!link) throw new Error(`The email contains no confirmation link:\n${mail}`);
  return link.replaceAll('&amp;', '&');
}

/** Opens the link of an account email and presses the button on its page. */
export async function openMailedLink(page: Page, mail: string): Promise<void> {
  await page.goto(extractLink(mail));
  await page.getByRole('main').getByRole('button').click();
  await page.waitForURL((url) => url.pathname !== '/auth/confirm');
}

/**
 * Waits for the text message with this number (1-based) to a phone number (E.164 without the plus sign). @returns the
 * code in it
 */
export async function readSentCode(dataFolder: string, phone: string, number: number): Promise<string> {
  let code = '';
  await expect(async () => {
    const message = (await messagesTo(dataFolder, phone))[number - 1] ?? '';
    code = /\b\d{6}\b/.exec(message)?.[0] ?? '';
    expect(code).not.toBe('');
  }).toPass({ timeout: 60_000 });
  return code;
}

function unfold(quotedPrintable: string): string {
  return quotedPrintable
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
