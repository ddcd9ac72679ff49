/**
 * Access to the embedded database for commands of the command line while a server holds its folder: the server listens
 * on a Unix socket, and the command gets a `Database` whose work the server does. The file is 0600 in a folder of 0700,
 * so a program that can connect could read the database's files as well; nothing of this is reachable over the network.
 *
 * One connection is one piece of work. Each message is its length (4 bytes, big-endian) and a value as `node:v8` writes
 * it, which keeps dates and bytes. The command sends an `Ask`, the server answers each with one `Answer`:
 * - `batch` or `script`: one answer, and that was it.
 * - `begin`: then any number of `run`, then `commit` or `rollback`. A connection that ends, or is silent for
 *   IDLE_MS, rolls back: everybody else waits for a transaction, and a command that was stopped must not stop the site.
 * - `listen`: answered once, then one answer with `payload` for each notification, until the command hangs up.
 */
import { chmod, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import {
  type Database,
  DatabaseError,
  type QueryResult,
  type Results,
  requireStillWanted,
  type SqlValue,
  type Statement,
  type Transaction,
  toWireValue,
  type WorkOptions,
} from './database.ts';
import { errorCode, messageOf } from './errors.ts';
import { socketPath } from './socket-path.ts';

const SOCKET_NAME = 'database.sock';

/** Raised with every change of the messages: a command may be newer than the server that still runs. */
const VERSION = 1;

/** Longest silence of a command within its transaction, in milliseconds: others wait for as long. */
const IDLE_MS = 5_000;

type Ask =
  | { kind: 'batch'; statements: Statement[]; version: number }
  | { kind: 'script'; sql: string; version: number }
  | { kind: 'begin'; version: number }
  | { kind: 'listen'; channel: string; version: number }
  | { kind: 'run'; statement: Statement }
  | { kind: 'commit' | 'rollback' };

type Answer = { results: QueryResult[] } | { payload: string } | { error: Failure };

/** The fields of a DatabaseError; other errors have only a message. */
type Failure = { message: string } & Partial<Record<'code' | (typeof ERROR_FIELDS)[number], string>>;

const ERROR_FIELDS = ['detail', 'hint', 'constraint', 'table', 'column'] as const;

/**
 * Lets commands use the database for as long as the server runs.
 * @param folder exists, is 0700 and of a process that holds the lock of DATA_DIR: a socket that lies there is left over
 * @returns the way to stop; work under way is cut off
 */
export async function serveLocally(database: Database, folder: string): Promise<() => Promise<void>> {
  const { path, cleanUp } = await socketPath(folder, SOCKET_NAME);
  await unlink(path).catch(() => undefined);
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    // The command has gone: what it began is rolled back, and there is nobody to tell.
    socket.on('error', () => undefined);
    serveConnection(database, socket).catch(() => socket.destroy());
  });
  await listen(server, path);
  await chmod(path, 0o600);
  return async () => {
    const closed = new Promise((done) => server.close(done));
    for (const socket of connections) socket.destroy();
    await closed;
    await cleanUp();
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.unref();
      resolve();
    });
  });
}

async function serveConnection(database: Database, socket: Socket): Promise<void> {
  const asks = messages<Ask>(socket);
  const answer = (message: Answer) => send(socket, message);
  const ask = (await asks.next()).value;
  if (!ask) return;
  try {
    if (!('version' in ask) || ask.version !== VERSION) {
      throw new Error('The running server is of another version than this command: start it again.');
    }
    if (ask.kind === 'batch') answer({ results: await database.batch(ask.statements) });
    if (ask.kind === 'script') {
      await database.script(ask.sql);
      answer({ results: [] });
    }
    if (ask.kind === 'begin') await serveTransaction(database, socket, asks);
    if (ask.kind === 'listen') {
      const stop = await database.listen(ask.channel, (payload) => answer({ payload }));
      answer({ results: [] });
      await asks.next();
      await stop();
    }
  } catch (error) {
    answer({ error: toFailure(error) });
  }
  socket.end();
}

class RolledBack extends Error {}

async function serveTransaction(database: Database, socket: Socket, asks: AsyncGenerator<Ask>): Promise<void> {
  socket.on('timeout', () => socket.destroy());
  try {
    await database.transaction(async (tx) => {
      send(socket, { results: [] });
      for (;;) {
        socket.setTimeout(IDLE_MS);
        const { value: ask } = await asks.next();
        socket.setTimeout(0);
        if (ask?.kind === 'commit') return;
        if (ask?.kind !== 'run') throw new RolledBack();
        const answer = await tx.run(ask.statement).then(
          (result) => ({ results: [result] }),
          (error: unknown) => ({ error: toFailure(error) }),
        );
        send(socket, answer);
      }
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  send(socket, { results: [] });
}

/**
 * Opens the database of a running server.
 * @param folder where that server listens
 * @returns null when none listens there: it has not started yet, or what holds the folder is another command
 */
export async function openLocally(folder: string): Promise<Database | null> {
  const database = new LocalDatabase(folder);
  try {
    (await database.connect()).socket.destroy();
    return database;
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes(errorCode(error))) return null;
    throw error;
  }
}

interface Connection {
  socket: Socket;
  answers: AsyncGenerator<Answer>;
}

class LocalDatabase implements Database {
  readonly #folder: string;
  readonly #open = new Set<Socket>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async query<Row>(
    text: string,
    values: readonly SqlValue[] = [],
    options: WorkOptions = {},
  ): Promise<QueryResult<Row>> {
    const [result] = await this.batch<[Row]>([{ text, values }], options);
    return result;
  }

  async batch<Rows extends readonly unknown[]>(
    statements: readonly Statement[],
    options: WorkOptions = {},
  ): Promise<Results<Rows>> {
    requireStillWanted(options);
    return this.#once({ kind: 'batch', statements: statements.map(onTheWire), version: VERSION });
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: WorkOptions = {}): Promise<T> {
    requireStillWanted(options);
    const connection = await this.connect();
    const run = async <Row>(statement: Statement) => {
      const [result] = await request<[Row]>(connection, { kind: 'run', statement: onTheWire(statement) });
      return result;
    };
    try {
      await request(connection, { kind: 'begin', version: VERSION });
      try {
        const result = await work({
          run,
          query: <Row>(text: string, values: readonly SqlValue[] = []) => run<Row>({ text, values }),
        });
        await request(connection, { kind: 'commit' });
        return result;
      } catch (error) {
        // Waits until the server has undone it; a connection that is gone has done so by ending.
        await request(connection, { kind: 'rollback' }).catch(() => undefined);
        throw error;
      }
    } finally {
      connection.socket.destroy();
    }
  }

  async script(sql: string): Promise<void> {
    await this.#once({ kind: 'script', sql, version: VERSION });
  }

  /** The server holds the folder, and does such work only while it starts. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    const connection = await this.connect();
    await request(connection, { kind: 'listen', channel, version: VERSION });
    const heard = (async () => {
      for await (const message of connection.answers) if ('payload' in message) onNotify(message.payload);
    })();
    return async () => {
      connection.socket.end();
      await heard;
    };
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
  }

  async connect(): Promise<Connection> {
    const { path, cleanUp } = await socketPath(this.#folder, SOCKET_NAME);
    const socket = connect(path);
    try {
      await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    } finally {
      await cleanUp();
    }
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    socket.on('error', () => undefined);
    return { socket, answers: messages<Answer>(socket) };
  }

  async #once<Rows extends readonly unknown[]>(ask: Ask): Promise<Results<Rows>> {
    const connection = await this.connect();
    try {
      return await request<Rows>(connection, ask);
    } finally {
      connection.socket.destroy();
    }
  }
}

/** The server answers what ran with the results of all of it; `Rows` are those that the statements return. */
async function request<Rows extends readonly unknown[]>(
  { socket, answers }: Connection,
  ask: Ask,
): Promise<Results<Rows>> {
  send(socket, ask);
  const { value: answer } = await answers.next();
  if (!answer) throw new DatabaseError({ code: '08006', message: 'The server stopped before it answered.' });
  if ('error' in answer) throw toError(answer.error);
  return ('results' in answer ? answer.results : []) as Results<Rows>;
}

function onTheWire({ text, values = [], deadlineMs }: Statement): Statement {
  return { text, values: values.map(toWireValue), ...(deadlineMs === undefined ? {} : { deadlineMs }) };
}

function toFailure(error: unknown): Failure {
  if (!(error instanceof DatabaseError)) return { message: messageOf(error) };
  const given = ERROR_FIELDS.flatMap((name) => (error[name] === null ? [] : [[name, error[name]] as const]));
  return { message: error.message, code: error.code, ...Object.fromEntries(given) };
}

function toError(failure: Failure): Error {
  return failure.code === undefined ? new Error(failure.message) : new DatabaseError(failure);
}

function send(socket: Socket, message: Ask | Answer): void {
  const body = serialize(message);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  socket.write(Buffer.concat([length, body]));
}

/** Yields the messages of a socket until it ends. */
async function* messages<Message>(socket: Socket): AsyncGenerator<Message, undefined> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of socket) {
    chunks.push(chunk);
    size += chunk.length;
    for (let needed = neededBytes(chunks, size); size >= needed; needed = neededBytes(chunks, size)) {
      const all = Buffer.concat(chunks);
      chunks = [all.subarray(needed)];
      size -= needed;
      yield deserialize(all.subarray(4, needed));
    }
  }
}

/** Returns the length of the first message in bytes, its length field included; 4 until that field is there. */
function neededBytes(chunks: Buffer[], size: number): number {
  if (size < 4) return 4;
  const [first = Buffer.alloc(0)] = chunks;
  return 4 + (first.length >= 4 ? first : Buffer.concat(chunks)).readUInt32BE(0);
}
