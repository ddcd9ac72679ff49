/**
 * Simulates pgbouncer in transaction mode. After each transaction the session is reset (`discard all`), so prepared
 * statements, settings, session locks and temporary tables are lost. Notifications are not delivered. Startup settings
 * are rejected, and the process id is made up.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Parameters that pgbouncer tracks for each client. It rejects all others. */
const TRACKED_PARAMETERS = ['user', 'database', 'client_encoding', 'application_name', 'TimeZone', 'DateStyle'];

export interface Pooler {
  /** URL of the same database, through the pooler. */
  url: string;
  /** Closes all connections and sessions, and accepts new connections immediately. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** @param acceptedParameters additional startup parameters to accept, as with `ignore_startup_parameters` */
export async function startPooler(databaseUrl: string, acceptedParameters: readonly string[] = []): Promise<Pooler> {
  const parameters = [...TRACKED_PARAMETERS, ...acceptedParameters];
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const pooler = createServer((client) => {
    const server = connect(Number(port), hostname);
    pool(client, server, parameters);
    for (const [socket, peer] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        peer.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const address = pooler.address() as { port: number };
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    pooler.close();
    await once(pooler, 'close');
  };
  return {
    url: databaseUrl.replace(port, String(address.port)),
    async restart() {
      await close();
      pooler.listen(address.port, '127.0.0.1');
      await once(pooler, 'listening');
    },
    close,
  };
}

function pool(client: Socket, server: Socket, parameters: readonly string[]): void {
  const queue: Buffer[] = [];
  let isStarted = false;
  /** The next request waits until the server is ready again. */
  let isBusy = true;
  let isDiscarding = false;
  const sendNext = () => {
    while (!isBusy) {
      const message = queue.shift();
      if (!message) return;
      isBusy = ['Q', 'S'].includes(readType(message));
      server.write(message);
    }
  };
  const readStartup = splitMessages(0, (message) => {
    isStarted = true;
    const startup = message.subarray(8).toString().split('\0');
    const unsupported = startup.find((name, index) => index % 2 === 0 && name !== '' && !parameters.includes(name));
    if (unsupported) client.end(errorMessage(`unsupported startup parameter: ${unsupported}`));
    else server.write(message);
  });
  const readRequests = splitMessages(1, (message) => {
    queue.push(message);
    sendNext();
  });
  client.on('data', (chunk) => (isStarted ? readRequests : readStartup)(chunk));
  server.on(
    'data',
    splitMessages(1, (message) => {
      const isReady = readType(message) === 'Z';
      if (isDiscarding && !isReady) return;
      if (isReady && !isDiscarding && message.at(5) === 'I'.charCodeAt(0)) {
        isDiscarding = true;
        server.write(requestMessage('discard all'));
        return;
      }
      if (isReady) [isBusy, isDiscarding] = [false, false];
      if (readType(message) === 'K') message.writeUInt32BE(7, 5);
      if (readType(message) !== 'A') client.write(message);
      sendNext();
    }),
  );
}

/** Splits received data into messages. A message consists of `typeBytes` bytes, its length, and its content. */
function splitMessages(typeBytes: 0 | 1, onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let buffer = Buffer.alloc(0);
  return (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    while (buffer.length >= typeBytes + 4) {
      const length = typeBytes + buffer.readUInt32BE(typeBytes);
      if (buffer.length < length) return;
      const message = buffer.subarray(0, length);
      buffer = buffer.subarray(length);
      onMessage(message);
    }
  };
}

const readType = (message: Buffer) => String.fromCharCode(message[0] ?? 0);

function buildMessage(type: string, body: string): Buffer {
  const message = Buffer.from(`${type}....${body}`);
  message.writeUInt32BE(message.length - 1, 1);
  return message;
}

const requestMessage = (sql: string) => buildMessage('Q', `${sql}\0`);
const errorMessage = (text: string) => buildMessage('E', `SFATAL\0C08P01\0M${text}\0\0`);
