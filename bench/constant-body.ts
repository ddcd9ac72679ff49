/** Minimal node:http server that responds to every request with the content of one file. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file = '', encoding = 'identity'] = process.argv.slice(2);
const body = readFileSync(file);
const headers = ['content-type', 'text/html; charset=utf-8', 'content-length', String(body.length)];
if (encoding !== 'identity') headers.push('content-encoding', encoding);

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(address !== null && typeof address === 'object' ? address.port : 0);
});
