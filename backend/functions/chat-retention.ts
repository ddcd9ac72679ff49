import type { BackendContext } from '../context.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes conversations and bookings that are older than the setting chat_retention_days, now and once a day. Several copies of the
 * process may do it: what is gone is gone.
 * @returns the way to stop, which waits for a deletion under way
 */
export function startChatRetention({ database, log }: BackendContext): () => Promise<void> {
  let running = Promise.resolve();
  const run = () => {
    running = database
      .query<{ deleted: number }>(
        'select private.delete_expired_conversations() + private.delete_expired_bookings() as deleted',
      )
      .then(
        ({ rows }) => {
          const deleted = rows[0]?.deleted ?? 0;
          if (deleted > 0) log.info({ deleted }, 'Expired conversations and bookings were deleted');
        },
        (error: unknown) => log.error(error, 'Expired conversations and bookings could not be deleted'),
      );
  };
  run();
  const timer = setInterval(run, DAY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
