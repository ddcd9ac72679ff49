/** Runs and type-checks the functions under Deno, as in a hosted project, against a real table API. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { findFreeTimes, saveAvailability } from '../support/booking.ts';
import { requireDeno } from '../support/deno.ts';
import { startFakeCaptcha } from '../support/fake-captcha.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const root = join(import.meta.dirname, '../..');
const DENO = requireDeno();
/** Options that keep Deno from downloading anything. */
const FROM_NODE_MODULES = ['--cached-only', '--node-modules-dir=manual'];

const FUNCTIONS = ['ai-chat', 'booking-calendar', 'campaign-events', 'captcha-proof', 'report-summary'];

const entry = (name: string) => join(root, `supabase/functions/${name}/index.ts`);

let api: TestBackend;
let cache: string;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  [api, cache] = await Promise.all([startTestBackend(), mkdtemp(join(tmpdir(), 'signalfjord-deno-'))]);
  environment = { ...process.env, DENO_DIR: cache, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };
});
afterAll(async () => {
  await api.close();
  await rm(cache, { recursive: true });
});

test("The functions pass Deno's type check", async () => {
  const { stderr } = await promisify(execFile)(DENO, ['check', ...FROM_NODE_MODULES, ...FUNCTIONS.map(entry)], {
    cwd: root,
    env: environment,
  });
  expect(stderr).toContain('Check');
  expect(stderr).not.toContain('error');
});

test('The chat streams its reply under Deno and checks the API key itself', async () => {
  await withDenoServer('ai-chat', async (url) => {
    const ask = (headers: Record<string, string>) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
      });
    expect((await ask({})).status).toBe(401);
    const response = await ask({ authorization: `Bearer ${PUBLISHABLE_KEY}` });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
    expect(lines.at(-1)).toBe('data: [DONE]');
    const deltas = lines
      .slice(0, -1)
      .map((line) => JSON.parse(line.slice('data: '.length)).choices[0].delta.content ?? '');
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join('')).toMatch(/\w/);
  });
});

test('Under Deno, only callers with the calendar secret get the calendar file', async () => {
  await saveAvailability(api.service);
  const [_starts_at = ''] = await findFreeTimes(api.visitor, 1);
  const call = { _starts_at, _name: 'Kari Nordmann', _email: 'kari@example.com' };
  const { data } = await api.visitor.rpc('book', call).throwOnError();
  const { data: feed } = await (await api.signedIn('admin')).client.rpc('make_booking_feed').throwOnError();
  await withDenoServer('booking-calendar', async (url) => {
    const read = async (secret: string) => {
      const response = await fetch(`${url}?secret=${secret}`);
      return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
    };
    const visitorFile = await read(data.token);
    expect(visitorFile).toMatchObject({ status: 200, type: 'text/calendar; charset=utf-8' });
    expect(visitorFile.text).toContain('SUMMARY:Call with Signalfjord');
    expect((await read(feed)).text).toContain('SUMMARY:Call: Kari Nordmann');
    expect((await read('0'.repeat(64))).status).toBe(404);
    expect((await read('')).status).toBe(404);
    expect((await fetch(`${url}?secret=${feed}`, { method: 'POST' })).status).toBe(405);
  });
});

test('Under Deno, a solved captcha returns a proof that the table API accepts', async () => {
  const provider = await startFakeCaptcha();
  const CAPTCHA = { CAPTCHA_PROVIDER: 'hcaptcha', CAPTCHA_SECRET: 'geheim', CAPTCHA_URL: provider.url };
  const requestProof = async (url: string, token: string) => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ token }) });
    return { status: response.status, body: (await response.json()) as { proof?: string; error?: string } };
  };
  await withDenoServer(
    'captcha-proof',
    async (url) => {
      // The browser sends a preflight request from the site's own origin.
      const preflight = await fetch(url, { method: 'OPTIONS' });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect((await requestProof(url, 'made up')).status).toBe(400);
      const proofResponse = await requestProof(url, 'solved-1');
      expect(proofResponse.status).toBe(200);
      expect((await requestProof(url, 'solved-1')).status).toBe(400);
      const { rows } = await api.backend.database.query(
        `select from private.captcha_proofs where token_hash = private.booking_token_hash($1)`,
        [proofResponse.body.proof],
      );
      expect(rows).toHaveLength(1);
    },
    CAPTCHA,
  );
  await withDenoServer('captcha-proof', async (url) => expect((await requestProof(url, 'solved-2')).status).toBe(404));
  await provider.close();
});

/** Serves a function and calls `use` with its URL. */
async function withDenoServer(name: string, use: (url: string) => Promise<void>, secrets = {}): Promise<void> {
  const { url, server } = await serveUnderDeno(name, secrets);
  try {
    await use(url);
  } finally {
    // Ends the process group. If npm runs no install scripts, Deno is the child of a wrapper script.
    process.kill(-(server.pid ?? 0));
    await once(server, 'exit');
  }
}

/** Serves a function on a free port, with the platform's environment and the project's secrets. */
async function serveUnderDeno(name: string, secrets: object): Promise<{ url: string; server: ChildProcess }> {
  const server = spawn(DENO, ['run', ...FROM_NODE_MODULES, '--no-prompt', '--allow-net', '--allow-env', entry(name)], {
    cwd: root,
    env: {
      ...environment,
      ...secrets,
      DENO_SERVE_ADDRESS: 'tcp:127.0.0.1:0',
      SUPABASE_URL: api.url,
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: PUBLISHABLE_KEY }),
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: api.backend.keys.secretKey }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const log: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    for (const output of [server.stdout, server.stderr]) {
      createInterface(output).on('line', (line) => {
        log.push(line);
        const serverUrl = /Listening on (http:\/\/\S+)/.exec(line)?.[1];
        if (serverUrl) resolve(serverUrl);
      });
    }
    server.once('exit', (code) => reject(new Error(`Deno ended with code ${code}: ${log.join('\n')}`)));
  });
  return { url, server };
}
