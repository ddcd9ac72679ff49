/** A captcha provider on loopback. A token is valid once if it begins with "solved". */
import { createServer } from 'node:http';

export interface FakeCaptcha {
  url: string;
  /** Form fields of each request, in order. */
  requests: Record<string, string>[];
  /** Responds to all further requests with this error, as an unavailable provider does. */
  breakWith(status: number, body: string): void;
  close(): Promise<void>;
}

export async function startFakeCaptcha(): Promise<FakeCaptcha> {
  const usedTokens = new Set<string>();
  let failure: { status: number; body: string } | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      fake.requests.push(fields);
      const token = fields['response'] ?? '';
      const isSolved = token.startsWith('solved');
      const reason = isSolved ? 'timeout-or-duplicate' : 'invalid-input-response';
      const success = isSolved && !usedTokens.has(token);
      usedTokens.add(token);
      response.writeHead(failure?.status ?? 200, { 'content-type': 'application/json' });
      response.end(failure?.body ?? JSON.stringify({ success, 'error-codes': success ? [] : [reason] }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const fake: FakeCaptcha = {
    url: `http://127.0.0.1:${port}/siteverify`,
    requests: [],
    breakWith(status, body) {
      failure = { status, body };
    },
    async close() {
      await new Promise((closed) => server.close(closed));
    },
  };
  return fake;
}
