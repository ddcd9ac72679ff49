/** The functions as a hosted project runs them: under Deno, with its types, against a real table API. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../backend/http/keys.ts';
import { requireDeno } from '../support/deno.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const root = join(import.meta.dirname, '../..');
const DENO = requireDeno();
/** Options with which Deno fetches nothing. */
const FROM_NODE_MODULES = ['--cached-only', '--node-modules-dir=manual'];

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

test('Deno finds no fault in the types of the functions', async () => {
  const { stderr } = await promisify(execFile)(
    DENO,
    ['check', ...FROM_NODE_MODULES, entry('ai-chat'), entry('booking-calendar'), entry('campaign-events')],
    { cwd: root, env: environment },
  );
  expect(stderr).toContain('Check');
  expect(stderr).not.toContain('error');
});

test('The chat answers in a stream under Deno, and asks for a key itself', async () => {
  const { url, server } = await serveUnderDeno('ai-chat');
  try {
    const ask = (headers: Record<string, string>) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
      });
    expect((await ask({})).status).toBe(401);
    const answer = await ask({ authorization: `Bearer ${PUBLISHABLE_KEY}` });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '));
    expect(lines.at(-1)).toBe('data: [DONE]');
    const said = lines
      .slice(0, -1)
      .map((line) => JSON.parse(line.slice('data: '.length)).choices[0].delta.content ?? '');
    expect(said.length).toBeGreaterThan(1);
    expect(said.join('')).toMatch(/\w/);
  } finally {
    // Ends all that it started, too: where npm runs no scripts, a wrapper of the package starts Deno.
    process.kill(-(server.pid ?? 0));
    await once(server, 'exit');
  }
});

/** Serves a function on a free port, with the environment that the platform gives it. */
async function serveUnderDeno(name: string): Promise<{ url: string; server: ChildProcess }> {
  const server = spawn(DENO, ['run', ...FROM_NODE_MODULES, '--no-prompt', '--allow-net', '--allow-env', entry(name)], {
    cwd: root,
    env: {
      ...environment,
      DENO_SERVE_ADDRESS: 'tcp:127.0.0.1:0',
      SUPABASE_URL: api.url,
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: PUBLISHABLE_KEY }),
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: api.backend.keys.secretKey }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const said: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    for (const output of [server.stdout, server.stderr]) {
      createInterface(output).on('line', (line) => {
        said.push(line);
        const found = /Listening on (http:\/\/\S+)/.exec(line)?.[1];
        if (found) resolve(found);
      });
    }
    server.once('exit', (code) => reject(new Error(`Deno ended with code ${code}: ${said.join('\n')}`)));
  });
  return { url, server };
}
