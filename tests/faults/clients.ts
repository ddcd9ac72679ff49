import { connect, type Socket } from 'node:net';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { readMemoryMb } from '../support/process-memory.ts';
import { newDataFolder, removeFolder, type SiteProcess, startSite } from '../support/site.ts';
import { assertTrue, fetchStatus } from './checks.ts';

interface Load {
  idle: number;
  busy: number;
  slow: number;
  /** Size of one request body. */
  megabytes: number;
}

/**
 * Opens idle connections, slow connections that send one byte at a time, and one oversized upload concurrently.
 * Requests for pages and tables must still succeed, and memory must not grow much.
 */
export async function overloadConnections({ idle, busy, slow, megabytes }: Load): Promise<string> {
  const { folder } = await newDataFolder('on');
  const site = await startSite(folder);
  const sockets: Socket[] = [];
  try {
    const headers = { apikey: PUBLISHABLE_KEY };
    const request = (n: number) =>
      n % 2 ? fetchStatus(site.url) : fetchStatus(`${site.url}/rest/v1/posts?select=slug&limit=5`, { headers });
    const requestAll = async () => Promise.all(Array.from({ length: busy }, (_, n) => request(n)));
    assertTrue(
      (await requestAll()).every((status) => status === 200),
      'the site responds',
    );
    const before = (await readMemoryMb(site.process)) ?? 0;

    sockets.push(...(await openConnections(site, idle, '')));
    sockets.push(...(await openConnections(site, slow, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')));
    const slowBody = `POST /rest/v1/rpc/news_categories HTTP/1.1\r\nHost: x\r\napikey: ${PUBLISHABLE_KEY}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
    sockets.push(...(await openConnections(site, slow, slowBody)));
    const drip = setInterval(() => {
      for (const socket of sockets.slice(idle)) socket.write('a');
    }, 200);
    let requestCount = 0;
    const large = sendLarge(site, megabytes);
    for (let round = 0; round < 5; round++) {
      const statuses = await requestAll();
      requestCount += statuses.length;
      assertTrue(
        statuses.every((status) => status === 200),
        `every request succeeds: ${[...new Set(statuses)]}`,
      );
    }
    const result = await large;
    clearInterval(drip);
    const growthMb = ((await readMemoryMb(site.process)) ?? 0) - before;
    assertTrue(result.megabytes < megabytes, `a body of ${megabytes} MB is rejected before its end (${result.status})`);
    assertTrue(growthMb < 150, `memory grew by only ${growthMb} MB`);
    return `${idle} idle and ${2 * slow} slow connections and a body of ${megabytes} MB (${result.status} after ${result.megabytes} MB): all ${requestCount} requests on ${busy} connections succeeded, and memory grew by ${growthMb} MB`;
  } finally {
    for (const socket of sockets) socket.destroy();
    await site.stop();
    await removeFolder(folder);
  }
}

async function openConnections({ url }: SiteProcess, count: number, firstBytes: string): Promise<Socket[]> {
  const sockets = Array.from(
    { length: count },
    () =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
          socket.off('error', reject).on('error', () => undefined);
          if (firstBytes) socket.write(firstBytes);
          resolve(socket);
        }).on('error', reject);
        socket.resume();
      }),
  );
  return Promise.all(sockets);
}

/** Sends until the server closes the connection. @returns the status line, and the number of megabytes sent */
function sendLarge({ url }: SiteProcess, megabytes: number): Promise<{ status: string; megabytes: number }> {
  return new Promise((resolve) => {
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let response = '';
    let isClosed = false;
    let sentBytes = 0;
    socket.on('data', (data) => {
      response += data;
      isClosed = true;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      isClosed = true;
      resolve({ status: response.split('\r\n')[0] || 'closed', megabytes: Math.round(sentBytes / 1024 / 1024) });
    });
    socket.write(
      `POST /rest/v1/leads HTTP/1.1\r\nHost: x\r\napikey: ${PUBLISHABLE_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${megabytes * 1024 * 1024}\r\n\r\n`,
    );
    const sendMore = () => {
      while (!isClosed && sentBytes < megabytes * 1024 * 1024) {
        sentBytes += chunk.length;
        if (!socket.write(chunk)) {
          socket.once('drain', sendMore);
          return;
        }
      }
      socket.end();
    };
    sendMore();
  });
}
