/**
 * A write of somebody whose session has ended is refused, or finds no row that it may change, which looks like success.
 * If a screen can ask the person to sign in again, the client waits for that and sends the write once more: every save,
 * deletion and upload takes this way, and none of them has to know.
 */

import { fetchAuth } from './device-clock.ts';

/** Reason why a write was refused or changed nothing. */
export type Explanation =
  /** Another reason: the answer stands. */
  | { cause: 'other' }
  /** The session that it was sent with has ended, and there is another one by now. */
  | { cause: 'ended'; accessToken: string }
  /** The person may not write any more, or did not sign in again. */
  | { cause: 'refused'; sentence: string };

/** Is given the token that the write was sent with. */
type Explain = (accessToken: string) => Promise<Explanation>;

let explain: Explain | null = null;

/** Asks `explanation` about every write from now on that was refused or changed nothing. Returns what ends that. */
export function explainRefusedWrites(explanation: Explain): () => void {
  explain = explanation;
  return () => {
    explain = null;
  };
}

/** Explains why a write with this token was refused or changed nothing; waits while the person is asked to sign in. */
export async function explainRefusal(accessToken = ''): Promise<Explanation> {
  return explain ? explain(accessToken) : { cause: 'other' };
}

/** fetch() of the full client. */
export async function fetchAsSignedIn(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  if (url.includes('/auth/v1/')) return fetchAuth(input, init);
  if (!explain || !isWrite(init?.method) || !/\/(rest|storage)\/v1\//.test(url)) return fetch(input, init);
  const headers = new Headers(init?.headers);
  // The backend tells the number of rows only on request.
  if (isChangeOfRows(url, init?.method) && !headers.get('prefer')?.includes('count=')) {
    headers.append('prefer', 'count=exact');
  }
  const answer = await fetch(input, { ...init, headers });
  if (!(await hasDoneNothing(url, answer))) return answer;
  const explanation = await explainRefusal(headers.get('authorization')?.replace('Bearer ', ''));
  if (explanation.cause === 'other') return answer;
  if (explanation.cause === 'refused') return refusal(explanation.sentence);
  headers.set('authorization', `Bearer ${explanation.accessToken}`);
  return fetchAsSignedIn(input, { ...init, headers });
}

function isWrite(method = 'GET'): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function isChangeOfRows(url: string, method: string | undefined): boolean {
  return url.includes('/rest/v1/') && (method === 'PATCH' || method === 'DELETE');
}

/** Tells whether the answer is a refusal, or says that no row or file was there to change. */
async function hasDoneNothing(url: string, answer: Response): Promise<boolean> {
  if (answer.status === 401 || answer.status === 403) return true;
  if (url.includes('/rest/v1/')) return answer.headers.get('content-range')?.endsWith('/0') ?? false;
  // Supabase answers 400 to every fault of storage and names the true status inside.
  return answer.status === 400 || (answer.ok && (await answer.clone().text()) === '[]');
}

/** Answers in the words of both services: the table API's refusal, and that of storage. */
function refusal(message: string): Response {
  const status = 403;
  return Response.json({ code: '42501', message, details: null, hint: null, statusCode: `${status}` }, { status });
}
