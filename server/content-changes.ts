import { type Database, isUnreachable } from '@signalfjord/backend';

/**
 * Time in milliseconds that an answer to a write waits for its own notification before the cache is dropped without it.
 */
const FENCE_TIMEOUT_MS = 1000;

export interface ContentChanges {
  /** Resolves once every change that was committed before the call has been heard of. */
  settled(): Promise<void>;
}

/**
 * Calls `onChange` when content changed, whichever process changed it. Postgres notifies over another connection, in the
 * order of commits: a notification that is sent after a write and received proves that the write's own was received.
 */
export async function listenForContentChanges(database: Database, onChange: () => void): Promise<ContentChanges> {
  await database.listen('content_changed', onChange);
  const waiting = new Map<string, () => void>();
  await database.listen('content_fence', (token) => waiting.get(token)?.());
  return {
    async settled() {
      const token = crypto.randomUUID();
      const heard = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        onChange();
        heard.resolve();
      }, FENCE_TIMEOUT_MS);
      waiting.set(token, heard.resolve);
      try {
        await database.query(`select pg_notify('content_fence', $1)`, [token]);
        await heard.promise;
      } catch (error) {
        // Once the server is back, the listener is told that it may have missed something.
        if (!isUnreachable(error)) throw error;
      } finally {
        clearTimeout(timer);
        waiting.delete(token);
      }
    },
  };
}
