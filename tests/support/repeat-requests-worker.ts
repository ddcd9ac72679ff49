/**
 * Worker thread of `repeatRequests`. Keeps `count` connections busy until it is terminated. Each request uses a new
 * connection.
 */
import { connect } from 'node:net';
import { workerData } from 'node:worker_threads';

interface RepeatRequestsData {
  siteUrl: string;
  count: number;
  path: string;
  responses: Int32Array;
}

const { siteUrl, count, path, responses } = workerData as RepeatRequestsData;
const { hostname, port } = new URL(siteUrl);
let requests = 0;

function sendRequest(): void {
  const socket = connect(Number(port), hostname);
  const target = path.replace('{n}', String(requests++));
  socket.write(
    `GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Forwarded-For: 198.51.100.9\r\nConnection: close\r\n\r\n`,
  );
  socket.on('error', () => undefined);
  socket.once('data', () => Atomics.add(responses, 0, 1));
  socket.resume();
  socket.once('close', () => setTimeout(sendRequest, 5));
}

for (let n = 0; n < count; n++) sendRequest();
