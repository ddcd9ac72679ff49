/**
 * Repeats writes that failed because the session has ended. Such a write is rejected, or matches no rows and seems to
 * succeed. If the screen can ask the user to sign in again, the client waits and resends the write. Applies to all
 * saves, deletions and uploads.
 */

import { fetchAuth } from './device-clock.ts';

/** Reason why a write was rejected or had no effect. */
export type Explanation =
  /** The cause is unrelated to the session, so the response is returned unchanged. */
  | { cause: 'other' }
  /** The session had ended, and the user has signed in again. */
  | { cause: 'ended'; accessToken: string }
  /** The user lost write access or did not sign in again. */
  | { cause: 'rejected'; message: string };

/** Finds out why a write with this access token was rejected or had no effect. */
type Explain = (accessToken: string) => Promise<Explanation>;

let explain: Explain | null = null;

/** Registers an explanation for writes that are rejected or have no effect. Returns a function that unregisters it. */
export function explainRejectedWrites(explanation: Explain): () => void {
  explain = explanation;
  return () => {
    explain = null;
  };
}

/** Explains why a write with this token was rejected or had no effect. Waits while the user is asked to sign in. */
export async function explainRejection(accessToken = ''): Promise<Explanation> {
  return explain ? explain(accessToken) : { cause: 'other' };
}

/** fetch() implementation of the full Supabase client. */
export async function fetchAsSignedIn(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  if (url.includes('/auth/v1/')) return fetchAuth(input, init);
  if (!explain || !isWrite(init?.method) || !/\/(rest|storage)\/v1\//.test(url)) return fetch(input, init);
  const headers = new Headers(init?.headers);
  // The backend returns the row count only on request.
  if (isRowChange(url, init?.method) && !headers.get('prefer')?.includes('count=')) {
    headers.append('prefer', 'count=exact');
  }
  const response = await fetch(input, { ...init, headers });
  if (!(await wasRejectedOrIneffective(url, response))) return response;
  const explanation = await explainRejection(headers.get('authorization')?.replace('Bearer ', ''));
  if (explanation.cause === 'other') return response;
  if (explanation.cause === 'rejected') return rejectedResponse(explanation.message);
  headers.set('authorization', `Bearer ${explanation.accessToken}`);
  return fetchAsSignedIn(input, { ...init, headers });
}

function isWrite(method = 'GET'): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function isRowChange(url: string, method: string | undefined): boolean {
  return url.includes('/rest/v1/') && (method === 'PATCH' || method === 'DELETE');
}

/** True if the response is a rejection, or reports no affected rows or files. */
async function wasRejectedOrIneffective(url: string, response: Response): Promise<boolean> {
  if (response.status === 401 || response.status === 403) return true;
  if (url.includes('/rest/v1/')) return response.headers.get('content-range')?.endsWith('/0') ?? false;
  // Supabase Storage returns 400 for every error, with the actual status in the body.
  return response.status === 400 || (response.ok && (await response.clone().text()) === '[]');
}

/** Error response in the format of both the table API and storage. */
function rejectedResponse(message: string): Response {
  const status = 403;
  return Response.json({ code: '42501', message, details: null, hint: null, statusCode: `${status}` }, { status });
}
