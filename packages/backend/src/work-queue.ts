/** Works through a queue in the database: at once when something is put in, and now and then for what waits for its time. */
import type { Logger } from 'pino';
import type { Database } from './database/database.ts';

/** Time in milliseconds between two looks at the queue without being told. */
const LOOK_EVERY_MS = 5_000;

/** Work that no request asks for. */
export interface Job {
  /** Stops after what is being done. */
  stop(): Promise<void>;
}

interface Queue {
  /** Channel on which the database says that something was put in. */
  channel: string;
  /** Does the next thing that is due; false when there is none. */
  doNext(): Promise<boolean>;
  /** Name in the log: 'the mail queue'. */
  name: string;
}

export async function startQueueWorker(database: Database, log: Logger, queue: Queue): Promise<Job> {
  let isStopped = false;
  let isWanted = false;
  let running: Promise<void> | undefined;

  const doAll = async () => {
    while (isWanted && !isStopped) {
      isWanted = false;
      while (!isStopped && (await queue.doNext())) isWanted = true;
    }
  };

  const look = () => {
    isWanted = true;
    if (isStopped || running) return;
    running = doAll()
      .catch((error: unknown) => log.error({ err: error }, `${queue.name} could not be read`))
      .finally(() => {
        running = undefined;
        if (isWanted && !isStopped) look();
      });
  };

  const stopListening = await database.listen(queue.channel, look);
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  look();
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await stopListening();
      await running;
    },
  };
}
