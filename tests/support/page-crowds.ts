/** Crowds that ask for pages, from any networks: what X-Forwarded-For says is believed of this machine. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';

export interface Crowd {
  /** Number of answers that have begun to come, by status. */
  answers: Map<number, number>;
  /** Last part of an answer that came with each status: a short answer is whole. */
  last: Map<number, string>;
  /** Ends its connections, whatever they wait for. */
  leave(): void;
}

export interface Wish {
  path: string;
  /** The address that it is asked from. */
  from: string;
  /** Cookies that are sent with it. */
  cookie?: string;
}

/** Sends all wishes of each connection at once, and waits for nothing. */
export function askAhead(siteUrl: string, connections: readonly (readonly Wish[])[]): Crowd {
  const { hostname, port } = new URL(siteUrl);
  const answers = new Map<number, number>();
  const last = new Map<number, string>();
  const sockets = connections.map((wishes) => {
    const socket: Socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      const text = data.toString('latin1');
      for (const [, digits] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        const status = Number(digits);
        answers.set(status, (answers.get(status) ?? 0) + 1);
        last.set(status, text);
      }
    });
    socket.write(
      wishes
        .map(
          ({ path, from, cookie = '' }) =>
            `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Forwarded-For: ${from}\r\nCookie: ${cookie}\r\n\r\n`,
        )
        .join(''),
    );
    return socket;
  });
  return {
    answers,
    last,
    leave() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Opens a connection for each wish. */
export function askAtOnce(siteUrl: string, wishes: readonly Wish[]): Crowd {
  return askAhead(
    siteUrl,
    wishes.map((wish) => [wish]),
  );
}

/**
 * A crowd of one address that opens a new connection for each request, as soon as it was answered; in a thread of its own,
 * so that who measures does not wait for it.
 * @param path what it asks for; {n} stands for a number that is never the same
 */
export function askAgainAndAgain(siteUrl: string, count: number, path: string) {
  const answers = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./returning-crowd.ts', import.meta.url), {
    workerData: { siteUrl, count, path, answers },
  });
  return {
    /** Number of answers so far. */
    answered: () => Atomics.load(answers, 0),
    leave: () => worker.terminate(),
  };
}

/** Milliseconds until a page is there, and its status, for a visitor who opens a connection for it. */
export async function readAnew(siteUrl: string, path: string): Promise<{ status: number; ms: number }> {
  const start = performance.now();
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const [answer] = (await once(get(new URL(path, siteUrl), { headers, agent: false }), 'response')) as [
    IncomingMessage,
  ];
  await buffer(answer);
  return { status: answer.statusCode ?? 0, ms: performance.now() - start };
}

/** Reads the figures that a server tells, by the name of each that has no labels. */
export async function readFigures(metricsUrl: string): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl)).text();
  return new Map([...text.matchAll(/^(\w+) ([\d.e+-]+)$/gm)].map(([, name = '', value]) => [name, Number(value)]));
}
