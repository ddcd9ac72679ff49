import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../backend/database/database.ts';

/**
 * Makes a database refuse what would wait for ever where there is one connection, as in PGlite: work on the database
 * itself while a transaction of the same request is open.
 */
export function refuseNestedWork(database: Database): Database {
  const around = new AsyncLocalStorage<{ isOpen: boolean }>();
  const requireNone = () => {
    if (around.getStore()?.isOpen) throw new Error('Work on the database within a transaction never ends on PGlite');
  };
  const query = database.query.bind(database);
  const batch = database.batch.bind(database);
  const transaction = database.transaction.bind(database);
  database.query = async (...given) => {
    requireNone();
    return query(...given);
  };
  database.batch = async (...given) => {
    requireNone();
    return batch(...given);
  };
  database.transaction = async (work, options) => {
    requireNone();
    const state = { isOpen: true };
    return transaction((tx) => around.run(state, () => work(tx)), options).finally(() => {
      state.isOpen = false;
    });
  };
  return database;
}
