/**
 * GitHub's OAuth on loopback, as in GitHub Enterprise Server. It issues no ID tokens, and its errors have status 200.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { readBody } from './read-body.ts';

interface GithubEmail {
  email: string;
  primary: boolean;
  verified: boolean;
}

export interface FakeGithub {
  url: string;
  clientId: string;
  clientSecret: string;
  person: { id: number; login: string; name: string | null; emails: GithubEmail[] };
  close(): Promise<void>;
}

export async function startFakeGithub(): Promise<FakeGithub> {
  const codes = new Map<string, { challenge: string; redirectUri: string }>();
  const tokens = new Set<string>();
  const github: FakeGithub = {
    url: '',
    clientId: 'github-client',
    clientSecret: crypto.randomUUID(),
    person: { id: 1, login: 'octocat', name: null, emails: [] },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };

  function redeem(form: URLSearchParams): object {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isValid =
      code?.challenge === verifier &&
      code.redirectUri === form.get('redirect_uri') &&
      form.get('client_secret') === github.clientSecret;
    if (!isValid) return { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' };
    const token = `gho_${crypto.randomUUID()}`;
    tokens.add(token);
    return { access_token: token, scope: 'user:email', token_type: 'bearer' };
  }

  const server = createServer(async (request, response) => {
    const respondWithJson = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const url = new URL(request.url ?? '/', github.url);
    if (url.pathname === '/login/oauth/authorize') {
      const redirectUri = url.searchParams.get('redirect_uri') ?? '';
      const code = crypto.randomUUID();
      codes.set(code, { challenge: url.searchParams.get('code_challenge') ?? '', redirectUri });
      const callbackUrl = new URL(redirectUri);
      callbackUrl.searchParams.set('code', code);
      callbackUrl.searchParams.set('state', url.searchParams.get('state') ?? '');
      return response.writeHead(302, { location: callbackUrl.href }).end();
    }
    if (url.pathname === '/login/oauth/access_token') return respondWithJson(200, redeem(await readForm(request)));
    const token = request.headers.authorization?.replace(/^bearer /i, '') ?? '';
    if (!tokens.has(token) || !request.headers['user-agent'])
      return respondWithJson(401, { message: 'Bad credentials' });
    const { emails, ...person } = github.person;
    if (url.pathname === '/api/v3/user')
      return respondWithJson(200, { ...person, avatar_url: 'https://avatars.example/1' });
    if (url.pathname === '/api/v3/user/emails') return respondWithJson(200, emails);
    return respondWithJson(404, { message: 'Not Found' });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The fake GitHub has no port');
  github.url = `http://127.0.0.1:${address.port}`;
  return github;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody(request))?.toString());
}
