/** Compares deploy/ and the Dockerfile with the code. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '@signalfjord/backend';
import { MAX_FILE_BYTES, VARIABLE_NAMES } from '@signalfjord/backend/commands';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { IDLE_TIMEOUT_MS } from '../server/http-server.ts';
import { SERVER_ENVIRONMENT, SERVER_OPTIONS } from './server-process.mjs';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const [unit, dockerfile] = [read('deploy/signalfjord@.service'), read('Dockerfile')];

/** Environment of the systemd unit and of the image. */
const unitEnvironment = (port: number) =>
  [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.replaceAll('%i', String(port)).split(' '));
const imageEnvironment = (/^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1] ?? '').split(/[\s\\]+/);

test.each([
  ['unit', unitEnvironment(3000), 3000],
  ['unit of the last port', unitEnvironment(65_535), 65_535],
  ['image', imageEnvironment, 3000],
])('The %s sets the same environment as npm start and only known variables', (_name, assignments, port) => {
  const environment = Object.fromEntries(assignments.map((assignment) => assignment.split('=') as [string, string]));
  const knownNames = [...VARIABLE_NAMES, ...Object.keys(SERVER_ENVIRONMENT), 'NODE_ENV'];
  expect(Object.keys(environment).filter((name) => !knownNames.includes(name))).toEqual([]);
  // No compile cache: a server that can write its own code could persist an attack.
  expect(Object.keys(SERVER_ENVIRONMENT).filter((name) => !(name in environment))).toEqual(['NODE_COMPILE_CACHE']);
  for (const name of ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'] as const) {
    expect(environment[name]).toBe(SERVER_ENVIRONMENT[name]);
  }
  expect(environment['NODE_ENV']).toBe('production');
  expect(parseConfig(environment).PORT).toBe(port);
});

test('The unit and the image run Node directly, so that it receives signals', () => {
  const command = ['node', ...SERVER_OPTIONS, 'server/main.ts'];
  expect(unit).toContain(`ExecStart=/usr/bin/${command.join(' ')}\n`);
  expect(dockerfile).toContain(`\nCMD ${JSON.stringify(command).replaceAll(',', ', ')}\n`);
  expect(dockerfile).toMatch(/^USER node$/m);
});

test('The image contains no data, secrets or local packages', () => {
  const ignored = read('.dockerignore').split('\n');
  for (const name of ['.git', 'node_modules', 'dist', 'data', '**/.env*', '*.zip']) expect(ignored).toContain(name);
});

test('Proxies accept form uploads of the largest file size, stream responses and reuse connections', () => {
  const [nginx, caddy] = [read('deploy/nginx.conf'), read('deploy/Caddyfile')];
  const megabytes = [/client_max_body_size (\d+)m;/, /max_size (\d+)MB/].map((size, index) =>
    Number(size.exec([nginx, caddy][index] ?? '')?.[1]),
  );
  for (const size of megabytes) expect(size * 1e6).toBeGreaterThan(MAX_FILE_BYTES + 1e6);
  const locations = nginx.split('location ').slice(1);
  expect(locations).toHaveLength(2);
  for (const location of locations) {
    expect(location).toContain('proxy_buffering off;');
    expect(location).toContain('proxy_set_header Connection "";');
    expect(location).toContain('proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;');
  }
  expect(caddy).toContain('flush_interval -1');
});

test('nginx limits requests and connections per address, and both proxies buffer slow request bodies', () => {
  const [nginx, caddy] = [read('deploy/nginx.conf'), read('deploy/Caddyfile')];
  for (const kind of ['limit_req', 'limit_conn']) {
    const zone = new RegExp(`${kind}_zone \\$binary_remote_addr zone=(\\w+):`).exec(nginx)?.[1];
    expect(nginx).toMatch(new RegExp(`^  ${kind} (zone=)?${zone} ?`, 'm'));
  }
  const [, allPaths = '', filePaths = ''] = nginx.split('location ');
  expect(allPaths).toContain('proxy_request_buffering on;');
  expect(filePaths).toContain('proxy_request_buffering off;');
  expect(caddy).toMatch(/request_buffers \d+KB/);
  // The file documents that Caddy has no rate limits.
  expect(caddy).toContain('Without plugins, Caddy does not limit the requests and connections of an address.');
});

test('Proxies close idle connections before the server does', () => {
  const seconds = [
    /keepalive_timeout (\d+)s;/.exec(read('deploy/nginx.conf')),
    /keepalive (\d+)s/.exec(read('deploy/Caddyfile')),
  ];
  for (const [, timeout] of seconds.map((match) => match ?? []))
    expect(Number(timeout) * 1000).toBeLessThan(IDLE_TIMEOUT_MS);
});

test('The compose file passes only known variables, and each service shares a profile with its dependencies', () => {
  const compose = parse(read('compose.yaml'), { merge: true });
  const services: Record<string, { profiles: string[]; depends_on?: object; environment?: Record<string, string> }> =
    compose.services;
  for (const name of ['site', 'site-on-postgres']) {
    const variables = Object.keys(services[name]?.environment ?? {});
    expect(variables.filter((variable) => !VARIABLE_NAMES.includes(variable))).toEqual([]);
  }
  for (const { profiles, depends_on = {} } of Object.values(services)) {
    const dependencies = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const name of dependencies) expect(services[name]?.profiles).toEqual(profiles);
  }
  const { DATABASE_URL = '', ...others } = services['site-on-postgres']?.environment ?? {};
  const environment = {
    ...others,
    SITE_URL: '',
    SMTP_URL: '',
    DATABASE_URL: DATABASE_URL.replace(/\$\{.*\}/, 'secret'),
  };
  expect(parseConfig(environment).S3_BUCKET).toBe('signalfjord');
});
