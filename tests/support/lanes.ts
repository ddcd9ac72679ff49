/**
 * Lanes of the server that strangers can fill, and their worst acts in each. Every act is one that stopped the site once,
 * or is refused because it did.
 */
import { connect, type Socket } from 'node:net';
import { PUBLISHABLE_KEY } from '../../backend/http/keys.ts';
import { PICTURE_WIDTHS } from '../../supabase/picture-widths.ts';

export interface Target {
  /** Origin of the server. */
  url: string;
  /** Large pictures in its storage, as bucket/name. */
  pictures: readonly string[];
  /** Called with the address of each message that the server said it has taken. */
  onTaken?: (email: string) => void;
}

export interface Lane {
  name: string;
  /** Strangers at the same time, each from a network of their own. */
  strangers: number;
  act(target: Target, address: string): Promise<void>;
}

/** Milliseconds for which a stranger holds what they have begun. */
const HOLD_MS = 3000;
const PIPELINED = 200;
const SOCKETS = 30;
const BODY_BYTES = 2_000_000;

const body = Buffer.alloc(BODY_BYTES - 1, ' ');
let made = 0;

/** Opens connections that send these bytes and read nothing, and ends them after a while or when the server does. */
async function hold({ url }: Target, count: number, bytes: () => (string | Buffer)[]): Promise<void> {
  const { hostname, port } = new URL(url);
  await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<void>((resolve) => {
          const socket: Socket = connect({ host: hostname, port: Number(port) });
          const timer = setTimeout(() => socket.destroy(), HOLD_MS);
          // The figures of the visitor show what the server does to it.
          socket.on('error', () => undefined);
          socket.once('close', () => {
            clearTimeout(timer);
            resolve();
          });
          for (const chunk of bytes()) socket.write(chunk);
        }),
    ),
  );
}

const head = (method: string, path: string, address: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nhost: site\r\nx-forwarded-for: ${address}\r\napikey: ${PUBLISHABLE_KEY}\r\n${more}\r\n`;

/** An ordinary request, whose answer is read and whose end is not waited for too long. */
async function send(
  { url }: Target,
  address: string,
  path: string,
  sent?: unknown,
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url + path, {
      headers: { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json', 'x-forwarded-for': address },
      ...(sent === undefined ? {} : { method: 'POST', body: JSON.stringify(sent) }),
      signal: AbortSignal.timeout(HOLD_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

const words = ['and', 'the', 'lorem', 'page', 'site'].map((word) => `content.fts(english).${word}`).join();

export const LANES: Lane[] = [
  {
    name: 'render',
    strangers: 12,
    act: (target, address) => {
      const paths = ['/?x=', '/news/guess-', '/%6eews?q=', '/./news?q=', '/og.png?title=a&x='];
      const path = () => `${paths[made % paths.length]}${made++}`;
      return hold(target, 1, () => [Array.from({ length: PIPELINED }, () => head('GET', path(), address)).join('')]);
    },
  },
  {
    name: 'database',
    strangers: 20,
    act: async (target, address) => {
      const calls = [
        `posts?select=id&or=(${words})`,
        'posts?select=id&content=ilike.*a*b*c*d*e*f*',
        'rpc/search_posts?_words={page,site}',
        'rpc/search_news?_query=the+page+and+the+site&_category=&_limit=24&_offset=0',
      ];
      await send(target, address, `/rest/v1/${calls[made++ % calls.length]}`);
    },
  },
  {
    name: 'pictures',
    strangers: 8,
    act: async (target, address) => {
      const picture = target.pictures[made % target.pictures.length];
      const width = PICTURE_WIDTHS[made++ % PICTURE_WIDTHS.length];
      await send(target, address, `/storage/v1/render/image/public/${picture}?width=${width}`);
    },
  },
  {
    name: 'bodies',
    strangers: 7,
    act: (target, address) =>
      hold(target, 9, () => [
        head(
          'POST',
          '/rest/v1/conversations',
          address,
          `content-type: application/json\r\ncontent-length: ${BODY_BYTES}\r\n`,
        ),
        body,
      ]),
  },
  {
    name: 'answers',
    strangers: 4,
    act: (target, address) => {
      const path = '/rest/v1/posts?select=a:content,b:content,c:content';
      return hold(target, SOCKETS, () => [head('GET', path, address)]);
    },
  },
  {
    name: 'chat',
    strangers: 8,
    act: async (target, address) => {
      const messages = [{ role: 'user', content: `What does an assistant cost, and how long does it take? ${made++}` }];
      await send(target, address, '/functions/v1/ai-chat', { messages });
      await send(target, address, '/rest/v1/conversations', Array(50).fill({}));
    },
  },
  {
    name: 'forms',
    strangers: 8,
    act: async (target, address) => {
      const email = `stranger-${made++}@example.com`;
      const lead = { _source: 'contact', _email: email, _name: 'Stranger', _message: 'x'.repeat(900) };
      if ((await send(target, address, '/rest/v1/rpc/take_lead', lead)).status === 204) target.onTaken?.(email);
      await send(target, address, '/rest/v1/rpc/subscribe_to_newsletter', { _email: email });
      const data = { padding: 'x'.repeat(12_000) };
      await send(target, address, '/auth/v1/signup', { email, password: 'Stranger-password-1', data });
    },
  },
];

/** Of the pictures four /64 of one /48, elsewhere a /24 for each. */
const addressOf = (lane: number, stranger: number) =>
  lane === 2 ? `2001:db8:1:${stranger % 4}::${stranger + 1}` : `10.${lane}.${stranger}.1`;

/** Goes on in all lanes at once until `isOver`. @returns how many acts there were, by lane */
export async function fillLanes(target: Target, isOver: () => boolean): Promise<Record<string, number>> {
  const acts: Record<string, number> = {};
  const loops = LANES.flatMap(({ name, strangers, act }, lane) =>
    Array.from({ length: strangers }, async (_, stranger) => {
      while (!isOver()) {
        await act(target, addressOf(lane, stranger));
        acts[name] = (acts[name] ?? 0) + 1;
      }
    }),
  );
  await Promise.all(loops);
  return acts;
}
