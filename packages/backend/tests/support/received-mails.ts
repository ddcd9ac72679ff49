/** Reads the mails that a backend without SMTP_URL wrote to DATA_DIR/outbox. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';

export interface ReceivedMail {
  subject: string;
  /** Raw header lines. */
  headers: string;
  text: string;
  html: string;
  /** The page that the link in an account mail opens, or ''. */
  page: string;
  /** The link to the auth service that the button on that page opens, or ''. */
  link: string;
  /** The six digits to type, or ''. */
  code: string;
}

/** Returns all mails to an address, oldest first. */
export async function mailsTo(dataFolder: string, address: string): Promise<ReceivedMail[]> {
  const folder = join(dataFolder, 'outbox');
  const files = await readdir(folder).catch(() => []);
  const mailFiles = files.filter((file) => file.endsWith('.eml') && file.includes(`Z-${address}-`)).sort();
  return Promise.all(mailFiles.map(async (file) => parseMail(await readFile(join(folder, file), 'utf8'))));
}

/**
 * Waits for the `number`th mail to an address (the first is 1) and returns it.
 * @throws Error if it does not arrive within a minute
 */
export function nextMail(dataFolder: string, address: string, number = 1): Promise<ReceivedMail> {
  return vi.waitFor(async () => {
    const mail = (await mailsTo(dataFolder, address))[number - 1];
    if (!mail) throw new Error(`Mail ${number} to ${address} did not arrive`);
    return mail;
  }, 120_000);
}

function parseMail(source: string): ReceivedMail {
  const [headers = '', body = ''] = splitOnce(source, '\r\n\r\n');
  const parts = listParts(headers, body);
  const part = (type: string) => {
    const [head = '', content = ''] = parts.find(([header]) => header.includes(`Content-Type: ${type}`)) ?? [];
    return decode(head, content);
  };
  const text = part('text/plain');
  const subject = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(headers)?.[1] ?? '';
  const page = /^https?:\S*\/auth\/confirm\?\S*$/m.exec(text)?.[0] ?? '';
  return {
    headers,
    subject: subject.replaceAll(/\r\n[ \t]/g, ' '),
    text,
    html: part('text/html'),
    page,
    link: page.replace('/auth/confirm?token_hash=', '/auth/v1/verify?token='),
    code: /^\d{6}$/m.exec(text)?.[0] ?? '',
  };
}

/** Lists the parts of a message, including nested parts. HTML with an inline picture is nested. */
function listParts(head: string, content: string): [head: string, content: string][] {
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1];
  if (boundary === undefined) return [[head, content]];
  return content.split(`--${boundary}`).flatMap((part) => listParts(...splitOnce(part.trimStart(), '\r\n\r\n')));
}

function decode(head: string, content: string): string {
  if (/base64/i.test(head)) return Buffer.from(content, 'base64').toString();
  if (!/quoted-printable/i.test(head)) return content;
  const bytes = content
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
}

function splitOnce(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + separator.length)];
}
