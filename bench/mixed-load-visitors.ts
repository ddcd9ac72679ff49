/** Visitors of the mixed load, who read, sign in, chat and edit, each from their own address. */
import { performance } from 'node:perf_hooks';
import { runAtInterval, type Tally } from './mixed-load-tally.ts';

export const EDITOR = { email: 'editor@example.com', password: 'Editor-password-1' };
const ACCOUNTS = 20;
const POSTS = '/rest/v1/posts?select=*&status=eq.published&order=published_date.desc&limit=20';
const PAGES = ['/', '/services', '/news', '/about', '/projects'];

/** Writes that the server acknowledged, checked at the end. */
export interface AcknowledgedWrites {
  posts: string[];
  messages: string[];
}

let addresses = 0;
/** Returns a new address on each call. Addresses do not repeat within minutes. */
const newAddress = () => `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`;

/** Creates the accounts that sign in later. @returns the session of the editor */
export async function prepare(requests: Tally): Promise<string> {
  for (let n = 0; n < ACCOUNTS; n++) {
    const body = JSON.stringify({ email: `visitor-${n}@example.com`, password: 'Visitor-1' });
    await requests.send({ kind: 'sign-up', path: '/auth/v1/signup', address: newAddress(), method: 'POST', body });
  }
  const session = await signIn(requests, EDITOR.email, EDITOR.password);
  if (!session) throw new Error('The editor could not sign in.');
  return session;
}

/** Signs in, and returns the access token. */
export async function signIn(requests: Tally, email: string, password: string, due?: number): Promise<string | null> {
  const body = await requests.send({
    kind: 'sign-in',
    path: '/auth/v1/token?grant_type=password',
    address: newAddress(),
    method: 'POST',
    body: JSON.stringify({ email, password }),
    due: due ?? performance.now(),
  });
  return body && (JSON.parse(body) as { access_token: string }).access_token;
}

/** Sends 20 table reads, 10 page requests, a sign-in and a question a second, and a post every 2 s, until `end`. */
export async function visit(requests: Tally, editor: string, end: number): Promise<AcknowledgedWrites> {
  const acknowledged: AcknowledgedWrites = { posts: [], messages: [] };
  await Promise.all([
    runAtInterval(50, end, (_turn, due) => requests.send({ kind: 'table', path: POSTS, address: newAddress(), due })),
    runAtInterval(100, end, (index, due) =>
      requests.send({ kind: 'page', path: PAGES[index % PAGES.length] ?? '/', address: newAddress(), due }),
    ),
    runAtInterval(1000, end, (index, due) =>
      signIn(requests, `visitor-${index % ACCOUNTS}@example.com`, 'Visitor-1', due),
    ),
    runAtInterval(1000, end, (index, due) => chat(requests, `Question ${index}`, due, acknowledged)),
    runAtInterval(2000, end, (index, due) => edit(requests, editor, `load-${index}`, due, acknowledged)),
  ]);
  return acknowledged;
}

async function chat(requests: Tally, content: string, due: number, acknowledged: AcknowledgedWrites): Promise<void> {
  const address = newAddress();
  const id = await requests.startConversation('chat', address, due);
  if (id === null) return;
  const visitor = { kind: 'chat', address, method: 'POST', headers: { 'x-conversation-id': id } };
  const body = JSON.stringify({ conversation_id: id, role: 'user', content });
  if ((await requests.send({ ...visitor, path: '/rest/v1/chat_messages', body })) !== null)
    acknowledged.messages.push(id);
  await requests.send({
    ...visitor,
    path: '/functions/v1/ai-chat',
    body: JSON.stringify({ messages: [{ role: 'user', content }] }),
  });
}

async function edit(
  requests: Tally,
  editor: string,
  slug: string,
  due: number,
  acknowledged: AcknowledgedWrites,
): Promise<void> {
  const saved = await requests.send({
    kind: 'edit',
    path: '/rest/v1/posts',
    address: newAddress(),
    method: 'POST',
    headers: { authorization: `Bearer ${editor}` },
    body: JSON.stringify({ title: slug, slug, status: 'draft' }),
    due,
  });
  if (saved !== null) acknowledged.posts.push(slug);
}

/** Counts acknowledged writes that are missing. */
export async function countMissing(
  requests: Tally,
  editor: string,
  { posts, messages }: AcknowledgedWrites,
): Promise<number> {
  const read = async (path: string): Promise<unknown[]> => {
    const headers = { authorization: `Bearer ${editor}` };
    return JSON.parse((await requests.send({ kind: 'count', path, address: newAddress(), headers })) ?? '[]');
  };
  const storedKeys = new Set<string>();
  // A response has at most 1,000 rows.
  const find = async (table: string, column: string, keys: string[]) => {
    for (let from = 0; from < keys.length; from += 100) {
      const batch = keys.slice(from, from + 100).join();
      const rows = await read(`/rest/v1/${table}?select=${column}&${column}=in.(${batch})`);
      for (const row of rows as Record<string, string>[]) storedKeys.add(row[column] ?? '');
    }
  };
  await find('posts', 'slug', posts);
  await find('chat_messages', 'conversation_id', messages);
  return [...posts, ...messages].filter((key) => !storedKeys.has(key)).length;
}
