import { removeFiles } from './buckets.ts';
import { type Keys, type Send, sender } from './instance.ts';
import { type Caller, createPeople, removePeople } from './people.ts';

/** Creates the accounts, runs `work`, and always deletes them afterwards. */
export async function withPeople<Result>(
  keys: Keys,
  work: (send: Send, callers: readonly Caller[]) => Promise<Result>,
): Promise<Result> {
  const send = sender(keys);
  let callers: readonly Caller[] = [];
  const cleanUp = async () => {
    await removeFiles(send, keys.secretKey, callers.at(-1));
    await removePeople(send, keys.secretKey);
  };
  const stop = () => void cleanUp().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    callers = await createPeople(send, keys.secretKey);
    return await work(send, callers);
  } finally {
    await cleanUp();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
