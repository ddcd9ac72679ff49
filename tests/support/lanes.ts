/**
 * Server resources with a limit (lanes) that attackers can exhaust, and the most expensive requests that each lane
 * accepts. Other tests cover requests that the server now rejects.
 */
import { connect, type Socket } from 'node:net';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { PICTURE_WIDTHS } from '../../supabase/picture-widths.ts';
import type { PreviewLink } from './preview-link.ts';

export interface Target {
  /** Origin of the server. */
  url: string;
  /** Paths of large images in its storage, as bucket/name. */
  pictures: readonly string[];
  /** A preview link that the attackers have received. */
  preview: PreviewLink;
  /** Called with the recipient of each email that the server has accepted. */
  onAcceptedEmail?: (email: string) => void;
  /** Called with the status of each response that was read. */
  onResponse?: (status: number) => void;
}

export interface Lane {
  name: string;
  /** Number of concurrent attackers, each from a separate network. */
  attackerCount: number;
  /** Status of a response that required the full work, or null if responses are not read. */
  successStatus: number | null;
  attack(target: Target, address: string): Promise<void>;
}

/** Milliseconds that an attacker holds a connection open. */
const HOLD_MS = 3000;
/** Number of pipelined requests on a connection. The server closes a connection that sends more. */
const PIPELINED = 16;
const SOCKETS = 30;
const BODY_BYTES = 2_000_000;

/** User agent of an attacker whose visit must be counted. Bots are not counted. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const body = Buffer.alloc(BODY_BYTES - 1, ' ');
let sequence = 0;

/**
 * Opens connections that send these bytes, and reads responses only if `reads` is true. Closes them after HOLD_MS
 * unless the server closes them earlier.
 */
async function holdConnections(
  { url, onResponse }: Target,
  count: number,
  bytes: () => (string | Buffer)[],
  { reads = false }: { reads?: boolean } = {},
): Promise<void> {
  const { hostname, port } = new URL(url);
  await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<void>((resolve) => {
          const socket: Socket = connect({ host: hostname, port: Number(port) });
          const timer = setTimeout(() => socket.destroy(), HOLD_MS);
          // Only the visitor's requests are measured.
          socket.on('error', () => undefined);
          socket.once('close', () => {
            clearTimeout(timer);
            resolve();
          });
          if (reads) {
            socket.on('data', (data) => {
              for (const [, status] of data.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g))
                onResponse?.(Number(status));
            });
          }
          for (const chunk of bytes()) socket.write(chunk);
        }),
    ),
  );
}

const requestHead = (method: string, path: string, address: string, extraHeaders = '') =>
  `${method} ${path} HTTP/1.1\r\nhost: site\r\nx-forwarded-for: ${address}\r\napikey: ${PUBLISHABLE_KEY}\r\n${extraHeaders}\r\n`;

/** Sends an ordinary request and reads its response, with a timeout. */
async function send(
  { url, onResponse }: Target,
  address: string,
  path: string,
  payload?: unknown,
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url + path, {
      headers: {
        apikey: PUBLISHABLE_KEY,
        'content-type': 'application/json',
        'user-agent': BROWSER,
        'x-forwarded-for': address,
      },
      ...(payload === undefined ? {} : { method: 'POST', body: JSON.stringify(payload) }),
      signal: AbortSignal.timeout(HOLD_MS),
    });
    const result = { status: response.status, text: await response.text() };
    onResponse?.(result.status);
    return result;
  } catch {
    return { status: 0, text: '' };
  }
}

/**
 * Returns a new address in the attacker's /24 each time, because the /24 has eight times the limit of one address.
 */
const nextAddressInNetwork = (address: string) => address.replace(/\d+$/, String(1 + (sequence++ % 250)));

export const LANES: Lane[] = [
  {
    name: 'render',
    attackerCount: 12,
    successStatus: 404,
    attack: (target, address) => {
      const paths = ['/news/guess-', '/./news?q=', '/projects?case=guess-', '/og.png?path=/about?x='];
      const path = () => `${paths[sequence % paths.length]}${sequence++}`;
      const pipelinedRequests = () =>
        Array.from({ length: PIPELINED }, () => requestHead('GET', path(), address)).join('');
      return holdConnections(target, 4, () => [pipelinedRequests()], { reads: true });
    },
  },
  {
    name: 'connections',
    attackerCount: 1,
    successStatus: 404,
    attack: (target, address) =>
      holdConnections(
        target,
        400,
        () => [requestHead('GET', `/news/again-${sequence++}`, address, 'connection: close\r\n')],
        {
          reads: true,
        },
      ),
  },
  {
    name: 'previews',
    attackerCount: 6,
    successStatus: 404,
    attack: (target, address) => {
      const page = () => {
        const cookie = `cookie: preview=${String(sequence++).padStart(43, 'x')}\r\n`;
        return requestHead('GET', `/preview/${crypto.randomUUID()}/about`, address, cookie);
      };
      return holdConnections(target, 4, () => [Array.from({ length: PIPELINED }, page).join('')], { reads: true });
    },
  },
  {
    name: 'preview link',
    attackerCount: 6,
    successStatus: 200,
    attack: (target, address) => {
      const { id, token } = target.preview;
      const paths = ['/', '/about', '/news', '/projects'];
      const page = () =>
        requestHead(
          'GET',
          `/preview/${id}${paths[sequence++ % paths.length]}`,
          address,
          `cookie: preview=${token}\r\n`,
        );
      return holdConnections(target, 4, () => [Array.from({ length: PIPELINED }, page).join('')], { reads: true });
    },
  },
  {
    name: 'database',
    attackerCount: 20,
    successStatus: 200,
    attack: async (target, address) => {
      const calls = [
        'posts?select=id&content=ilike.*a*b*c*d*e*f*',
        'posts?select=title,content&order=content&limit=20',
        'rpc/search_posts?_words={page,site}',
        'rpc/search_news?_query=the+page+and+the+site&_category=&_limit=24&_offset=0',
      ];
      await send(target, address, `/rest/v1/${calls[sequence++ % calls.length]}`);
    },
  },
  {
    name: 'pictures',
    attackerCount: 8,
    successStatus: 200,
    attack: async (target, address) => {
      const picture = target.pictures[sequence % target.pictures.length];
      const width = PICTURE_WIDTHS[sequence++ % PICTURE_WIDTHS.length];
      await send(target, address, `/storage/v1/render/image/public/${picture}?width=${width}`);
    },
  },
  {
    name: 'bodies',
    attackerCount: 7,
    successStatus: null,
    attack: (target, address) =>
      holdConnections(target, 9, () => [
        requestHead(
          'POST',
          '/rest/v1/conversations',
          address,
          `content-type: application/json\r\ncontent-length: ${BODY_BYTES}\r\n`,
        ),
        body,
      ]),
  },
  {
    name: 'responses',
    attackerCount: 4,
    successStatus: null,
    attack: (target, address) => {
      const path = '/rest/v1/posts?select=a:content,b:content,c:content';
      return holdConnections(target, SOCKETS, () => [requestHead('GET', path, address)]);
    },
  },
  {
    name: 'chat',
    attackerCount: 8,
    successStatus: 200,
    attack: async (target, address) => {
      const messages = [
        { role: 'user', content: `What does an assistant cost, and how long does it take? ${sequence++}` },
      ];
      await send(target, address, '/functions/v1/ai-chat', { messages });
      await send(target, address, '/rest/v1/conversations', Array(50).fill({}));
    },
  },
  {
    name: 'passwords',
    attackerCount: 8,
    successStatus: 400,
    attack: async (target, address) => {
      const email = `attacker-${sequence++}@example.com`;
      const password = 'Stranger-password-1';
      await send(target, nextAddressInNetwork(address), '/auth/v1/token?grant_type=password', { email, password });
    },
  },
  {
    name: 'domain check',
    attackerCount: 8,
    successStatus: 422,
    attack: async (target, address) => {
      await send(target, nextAddressInNetwork(address), '/domain-check', { domain: `a${sequence++}.agency.no` });
    },
  },
  {
    name: 'visits',
    attackerCount: 8,
    successStatus: 204,
    attack: async (target, address) => {
      const visit = {
        page: `/news/guess-${sequence++}`,
        from: `site-${sequence}.example.com`,
        device: 'phone',
        seconds: 9,
      };
      await send(target, nextAddressInNetwork(address), '/visits', visit);
    },
  },
  {
    name: 'calendar',
    attackerCount: 8,
    successStatus: 404,
    attack: async (target, address) => {
      const secret = String(sequence++).padStart(43, 'x');
      await send(target, nextAddressInNetwork(address), `/functions/v1/booking-calendar?secret=${secret}`);
    },
  },
  {
    name: 'forms',
    attackerCount: 8,
    successStatus: 204,
    attack: async (target, address) => {
      const email = `attacker-${sequence++}@example.com`;
      const lead = { _source: 'contact', _email: email, _name: 'Stranger', _message: 'x'.repeat(900) };
      if ((await send(target, address, '/rest/v1/rpc/submit_lead', lead)).status === 204)
        target.onAcceptedEmail?.(email);
      await send(target, address, '/rest/v1/rpc/subscribe_to_newsletter', { _email: email });
      const data = { padding: 'x'.repeat(12_000) };
      await send(target, address, '/auth/v1/signup', { email, password: 'Stranger-password-1', data });
    },
  },
];

/** The pictures lane uses four /64 networks of one /48. Each attacker of another lane has a separate /24. */
const chooseAddress = (lane: number, attacker: number) =>
  LANES[lane]?.name === 'pictures' ? `2001:db8:1:${attacker % 4}::${attacker + 1}` : `10.${lane}.${attacker}.1`;

/**
 * Fills all lanes concurrently until `isOver` returns true. @returns the number of attempts in each lane, and of
 * responses that required the full work
 */
export async function fillLanes(
  target: Target,
  isOver: () => boolean,
): Promise<Record<string, { attempts: number; completed: number }>> {
  const lanes = LANES.map(({ name, attackerCount, successStatus, attack }, lane) => {
    const counts = { attempts: 0, completed: 0 };
    const countedTarget: Target = {
      ...target,
      onResponse: (status) => {
        if (status === successStatus) counts.completed++;
      },
    };
    const loops = Array.from({ length: attackerCount }, async (_, attacker) => {
      while (!isOver()) {
        await attack(countedTarget, chooseAddress(lane, attacker));
        counts.attempts++;
      }
    });
    return { name, counts, loops };
  });
  await Promise.all(lanes.flatMap(({ loops }) => loops));
  return Object.fromEntries(lanes.map(({ name, counts }) => [name, counts]));
}
