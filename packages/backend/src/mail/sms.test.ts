import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type FakeTwilio, startFakeTwilio } from '../../tests/support/fake-twilio.ts';
import { parseConfig } from '../config.ts';
import { createSmsSender } from './sms.ts';

const SILENT_LOG = pino({ level: 'silent' });

let twilio: FakeTwilio;
let folder: string;
beforeAll(async () => {
  twilio = await startFakeTwilio();
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-sms-'));
});
afterAll(async () => {
  await twilio.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  twilio.received = [];
  twilio.response = { status: 201, body: { sid: 'SM7', status: 'queued', error_message: null } };
});

const ACCOUNT = { SMS_ACCOUNT_SID: 'AC1', SMS_AUTH_TOKEN: 'hunter2', SMS_FROM: '+4790000000' };
const sender = (variables: Record<string, string> = {}) =>
  createSmsSender(
    parseConfig({ DATA_DIR: folder, ...ACCOUNT, ...variables }, { SMS_URL: twilio.url }),
    pino({ level: 'silent' }),
  );
const message = { to: '4791111111', text: 'Your code is 123456', channel: 'sms' } as const;

test('A message is sent with the account of the provider, and send() returns its id', async () => {
  expect(await sender().send(message)).toBe('SM7');
  expect(twilio.received).toEqual([
    {
      path: '/2010-04-01/Accounts/AC1/Messages.json',
      authorization: `Basic ${Buffer.from('AC1:hunter2').toString('base64')}`,
      fields: { To: '+4791111111', From: '+4790000000', Body: 'Your code is 123456' },
    },
  ]);
});

test('WhatsApp addresses are sent in the format of Twilio', async () => {
  await sender().send({ ...message, channel: 'whatsapp' });
  expect(twilio.received[0]?.fields).toMatchObject({ To: 'whatsapp:+4791111111', From: 'whatsapp:+4790000000' });
});

test('The id of a messaging service is sent instead of a sender', async () => {
  const service = `MG${'0'.repeat(32)}`;
  await sender({ SMS_FROM: service }).send(message);
  expect(twilio.received[0]?.fields).toEqual({
    To: '+4791111111',
    MessagingServiceSid: service,
    Body: 'Your code is 123456',
  });
});

test.each([
  [{ status: 401, body: { code: 20003, message: 'Authenticate' } }, 'Authenticate'],
  [{ status: 500, body: {} }, 'The message was rejected without a reason'],
  [{ status: 201, body: { sid: 'SM1', status: 'failed', error_message: 'No such number' } }, 'No such number'],
  [{ status: 201, body: 'nonsense' }, 'expected object'],
])("The provider's response %j is treated as an error", async (response, reason) => {
  twilio.response = response;
  await expect(sender().send(message)).rejects.toThrow(reason);
});

test('Without an account, the message is written to an outbox file that only its owner can read', async () => {
  const info = vi.spyOn(SILENT_LOG, 'info');
  const outbox = createSmsSender(parseConfig({ DATA_DIR: folder }), SILENT_LOG);
  expect(outbox).toMatchObject({ provider: '', channels: ['sms'] });
  expect(await outbox.send(message)).toBe('');
  const [line] = info.mock.calls[0] ?? [];
  const file = /^Message to \+4791111111: (.*\.sms)$/.exec(String(line))?.[1] ?? '';
  expect(await readFile(file, 'utf8')).toBe('Your code is 123456');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(twilio.received).toEqual([]);
});
