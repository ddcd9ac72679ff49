import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readBody } from '../support/read-body.ts';

test('readBody returns undefined if the client disconnects before the body is complete', async () => {
  const bodies: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    bodies.push((await readBody(request))?.toString());
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;

  const socket = connect(port, '127.0.0.1');
  socket.write('PUT / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nhalf', () => socket.destroy());
  await expect.poll(() => bodies).toEqual([undefined]);
  await fetch(`http://127.0.0.1:${port}/`, { method: 'PUT', body: 'whole' });
  expect(bodies).toEqual([undefined, 'whole']);
});
