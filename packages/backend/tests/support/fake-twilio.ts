/** A fake Twilio server on loopback, with the API call that the backend uses. */
import { createServer } from 'node:http';

interface SentMessage {
  path: string;
  authorization: string;
  /** Fields of the form: To, From or MessagingServiceSid, and Body. */
  fields: Record<string, string>;
}

export interface FakeTwilio {
  url: string;
  received: SentMessage[];
  /** Response to later requests. */
  response: { status: number; body: unknown };
  close(): Promise<void>;
}

export async function startFakeTwilio(): Promise<FakeTwilio> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      fake.received.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '', fields });
      response.writeHead(fake.response.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(fake.response.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const fake: FakeTwilio = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    response: { status: 201, body: { sid: 'SM1', status: 'queued', error_message: null } },
    async close() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}
