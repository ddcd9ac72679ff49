import { removeFiles } from './buckets.ts';
import { type Keys, type Send, sender } from './instance.ts';
import { type Asker, makePeople, removePeople } from './people.ts';

/** Creates the accounts, runs `work`, and always deletes them afterwards. */
export async function withPeople<Result>(
  keys: Keys,
  work: (send: Send, askers: readonly Asker[]) => Promise<Result>,
): Promise<Result> {
  const send = sender(keys);
  let askers: readonly Asker[] = [];
  const cleanUp = async () => {
    await removeFiles(send, keys.secretKey, askers.at(-1));
    await removePeople(send, keys.secretKey);
  };
  const stop = () => void cleanUp().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    askers = await makePeople(send, keys.secretKey);
    return await work(send, askers);
  } finally {
    await cleanUp();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
