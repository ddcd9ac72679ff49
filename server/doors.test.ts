import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { openDoors, portOf } from './doors.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Opens the listeners of a server that responds with its name. */
async function open(name: string, PORT = 0) {
  const server = createServer((_request, response) => response.end(name));
  const doors = await openDoors(server, { PORT, HOST: '127.0.0.1' });
  stops.push(() => {
    for (const door of doors) door.close();
  });
  return { port: portOf(server), doors };
}

async function ask(port: number): Promise<string> {
  const [answer] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [IncomingMessage];
  return (await buffer(answer)).toString();
}

test('Connections of every door are answered by the one server', async () => {
  const { port } = await open('site');
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask(port)));
  expect(new Set(answers)).toEqual(new Set(['site']));
});

test('A port that another server has is refused, also one whose doors share it', async () => {
  const { port, doors } = await open('site');
  await expect(open('other', port)).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen', port });
  for (let n = 0; n < 50; n++) expect(await ask(port)).toBe('site');
  await Promise.all(doors.map((door) => new Promise((resolve) => door.close(resolve))));
  await open('other', port);
  expect(await ask(port)).toBe('other');
});
