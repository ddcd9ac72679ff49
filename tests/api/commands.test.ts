/** The commands of the command line, as a person runs them, and what they do to keys. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockFolder } from '../../backend/database/folder-lock.ts';
import { createTokenVerifier } from '../../backend/http/identity.ts';
import { listSigningKeys, loadKeys, revokeSigningKey, rotateSigningKey } from '../../backend/http/keys.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let folder: string;
beforeAll(async () => {
  site = await startTestBackend();
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-commands-'));
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

function run(script: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    env: { PATH: process.env['PATH'], DATA_DIR: folder, STARTER_CONTENT: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output: output.trim() })));
}

test('An admin is added and listed', async () => {
  const added = await run('admin', 'add', 'Ada@example.com');
  expect(added).toEqual({
    code: 0,
    output: expect.stringMatching(/^ada@example\.com is an admin now\. The password is \w{16} \(shown only once\)\.$/),
  });
  const listed = await run('admin', 'list');
  expect(listed.output).toMatch(/^ada@example\.com \(since \d{4}-\d\d-\d\d\)$/);
});

test('The command to reset second factors says what it did, and for whom it can do nothing', async () => {
  await run('admin', 'add', 'grace@example.com');
  expect(await run('admin', 'reset-factors', 'Grace@example.com')).toEqual({
    code: 0,
    output:
      'Grace@example.com had 0 second factors, which are removed with all passkeys. The account is signed out everywhere and signs in with its password.',
  });
  expect(await run('admin', 'reset-factors', 'nobody@example.com')).toEqual({
    code: 1,
    output: 'There is no account of nobody@example.com.',
  });
});

test('A folder in use is left alone, with one sentence and code 1', async () => {
  const release = await lockFolder(folder);
  expect(await run('admin', 'list')).toEqual({
    code: 1,
    output: 'The server is running on this data folder. Stop it, run this again, and start it.',
  });
  await release();
});

test.each([
  [['admin'], 'Usage:'],
  [['admin', 'add', 'nobody'], 'nobody is not an e-mail address.'],
  [['keys', 'revoke'], 'Usage:'],
] as const)('%j is refused with %s', async ([script, ...args], words) => {
  const { code, output } = await run(script, ...args);
  expect(code).toBe(1);
  expect(output).toContain(words);
});

test('After a rotation the new key signs, and tokens of the old one are good until it is revoked', async () => {
  const { database, keys: old } = site.backend;
  const { token } = await site.signedIn('client');
  const kid = await rotateSigningKey(database, 'ES256');
  const rotated = await loadKeys(database, 'ES256');
  expect(rotated.current.kid).toBe(kid);
  expect(rotated.jwks.keys.map((key) => key.kid)).toEqual([kid, old.current.kid]);
  expect(rotated.secretKey).toBe(old.secretKey);
  await expect(createTokenVerifier(rotated).verify(token)).resolves.toMatchObject({ role: 'authenticated' });

  expect(await revokeSigningKey(database, kid, 'ES256')).toBe(false);
  expect(await revokeSigningKey(database, old.current.kid, 'ES256')).toBe(true);
  expect((await listSigningKeys(database, 'ES256')).map((key) => key.kid)).toEqual([kid]);
  await expect(createTokenVerifier(await loadKeys(database, 'ES256')).verify(token)).rejects.toMatchObject({
    fault: 'unknown key',
  });
});
