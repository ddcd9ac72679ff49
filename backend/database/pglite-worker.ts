/**
 * The embedded database in a thread of its own. Every message of worker-link.ts is one exchange of the Postgres
 * protocol, answered by one message: how long it took, how large the memory is, and what Postgres said, as bytes.
 */
import { statfsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { ROOM_TO_WRITE_BYTES } from './disk-room.ts';
import { isSound } from './pglite-soundness.ts';
import { ANSWER_HEADER_BYTES, type WorkerMessage, type WorkerRequest, type WorkerStart } from './worker-link.ts';

/**
 * WebAssembly memory starts at 128 MB and never shrinks. A request that needs more than this is ended, thread and all.
 */
const MAX_MEMORY_BYTES = 384 * 1024 * 1024;

/** A quarter of Postgres's default: the site's whole content fits, and the process stays 100 MB smaller. */
const SHARED_BUFFERS = '32MB';

/** Kilobytes that the sorts and joins of one statement may write beside the tables. */
const TEMP_FILE_LIMIT = '262144';

const PGLITE_WASM = new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'));

const PAGE_BYTES = 64 * 1024;

await serveDatabase(workerData);

async function serveDatabase({ port, folder, load, keptLogMb, progress, compiled }: WorkerStart): Promise<void> {
  const say = (message: WorkerMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const pgliteWasmModule = compiled ?? (await WebAssembly.compile(await readFile(PGLITE_WASM)));
  const pglite = await openDatabase({ folder, load, keptLogMb }, pgliteWasmModule).catch(
    (error: NodeJS.ErrnoException) => {
      say({ failed: error.message ?? String(error), code: error.code });
      port.close();
    },
  );
  if (!pglite) return;
  /**
   * Stops this thread until the process ends it: Postgres must not go on, neither with this request nor with the next.
   */
  const standStill = (reason: 'full' | 'unsound' | 'diskFull') => {
    say(reason);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  limitMemory(pglite, () => standStill('full'));
  port.on('message', async (message: WorkerRequest) => {
    Atomics.add(progress, 0, 1);
    if (message === 'close') {
      await pglite.close();
      say('closed');
      port.close();
    } else {
      const answer = message === 'dump' ? await dump(pglite) : exchange(pglite, message);
      if (answer === null) standStill(isDiskFull(folder) ? 'diskFull' : 'unsound');
      else say(answer, [answer]);
    }
  });
  say({ ready: pgliteWasmModule });
}

async function openDatabase(
  { folder, load, keptLogMb }: Pick<WorkerStart, 'folder' | 'load' | 'keptLogMb'>,
  pgliteWasmModule: WebAssembly.Module,
): Promise<PGlite> {
  // A worker or a process that was ended leaves files behind; without a postmaster nobody removes temporary files.
  for (const name of folder ? ['postmaster.pid', 'base/pgsql_tmp'] : []) {
    await rm(join(folder ?? '', name), { recursive: true, force: true });
  }
  return PGlite.create({
    pgliteWasmModule,
    // Finds words that were mistyped; see the migration that searches content.
    extensions: { pg_trgm },
    startParams: [
      ...PGlite.defaultStartParams,
      ...['-c', `shared_buffers=${SHARED_BUFFERS}`, '-c', `temp_file_limit=${TEMP_FILE_LIMIT}`],
      ...['-c', `wal_keep_size=${keptLogMb}MB`],
    ],
    ...(folder ? { dataDir: folder } : {}),
    ...(load ? { loadDataDir: load } : {}),
  });
}

/** Postgres that cannot write its log ends without a word. The data that it could not write are lost. */
function isDiskFull(folder: string | undefined): boolean {
  if (folder === undefined) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < ROOM_TO_WRITE_BYTES;
}

/** Calls `onFull` instead of growing when the database asks for more memory than it may have. */
function limitMemory(pglite: PGlite, onFull: () => void): void {
  const { wasmMemory } = pglite.Module as typeof pglite.Module & { wasmMemory: WebAssembly.Memory };
  const grow = wasmMemory.grow.bind(wasmMemory);
  wasmMemory.grow = (pages) => {
    if (wasmMemory.buffer.byteLength + pages * PAGE_BYTES > MAX_MEMORY_BYTES) onFull();
    return grow(pages);
  };
}

async function dump(pglite: PGlite): Promise<ArrayBuffer> {
  const tar = new Uint8Array(await (await pglite.dumpDataDir('none')).arrayBuffer());
  return withHeader(0, [tar]);
}

/** Runs one exchange; null when its answer is unsound. Nothing is awaited: PGlite computes in this call. */
function exchange(pglite: PGlite, request: Uint8Array): ArrayBuffer | null {
  const start = performance.now();
  const chunks: Uint8Array[] = [];
  // PGlite hands over a view of the database's memory, which changes after this call.
  const onRawData = (bytes: Uint8Array) => void chunks.push(bytes.slice());
  // The promise is settled already: files are written by the call itself, there is nothing to synchronise.
  void pglite.execProtocolRawStream(request, { syncToFs: false, onRawData });
  const answer = withHeader(performance.now() - start, chunks);
  return isSound(request, new Uint8Array(answer, ANSWER_HEADER_BYTES)) ? answer : null;
}

function withHeader(milliseconds: number, chunks: readonly Uint8Array[]): ArrayBuffer {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, ANSWER_HEADER_BYTES);
  const answer = new Uint8Array(size);
  new DataView(answer.buffer).setFloat64(0, milliseconds);
  let offset = ANSWER_HEADER_BYTES;
  for (const chunk of chunks) {
    answer.set(chunk, offset);
    offset += chunk.length;
  }
  return answer.buffer;
}
