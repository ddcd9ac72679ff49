import { type Database, isUnreachable } from '@signalfjord/backend';

/** Maximum time in ms that a write response waits for its own notification. After that, the cache is dropped. */
const FENCE_TIMEOUT_MS = 1000;

export interface ContentChanges {
  /** Resolves once all changes committed before the call have been processed. */
  settled(): Promise<void>;
}

/**
 * Calls `onChange` when any process changed content. Postgres delivers notifications in commit order, so receiving a
 * notification sent after a write proves that the write's own notification was received.
 */
export async function listenForContentChanges(database: Database, onChange: () => void): Promise<ContentChanges> {
  await database.listen('content_changed', onChange);
  const pending = new Map<string, () => void>();
  await database.listen('content_fence', (token) => pending.get(token)?.());
  return {
    async settled() {
      const token = crypto.randomUUID();
      const received = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        onChange();
        received.resolve();
      }, FENCE_TIMEOUT_MS);
      pending.set(token, received.resolve);
      try {
        await database.query(`select pg_notify('content_fence', $1)`, [token]);
        await received.promise;
      } catch (error) {
        // The listener gets a `missed` event after reconnecting.
        if (!isUnreachable(error)) throw error;
      } finally {
        clearTimeout(timer);
        pending.delete(token);
      }
    },
  };
}
