import type { Database, Queryable, Transaction } from '../../packages/backend/src/database/database.ts';

/** Returns a database that records every statement before running it. Closing it leaves the original database open. */
export function recordDatabase(database: Database): { recorded: Database; statements: string[] } {
  const statements: string[] = [];
  const recordQuery =
    (target: Queryable): Queryable['query'] =>
    (text, values) => {
      statements.push(text);
      return target.query(text, values);
    };
  const recorded: Database = {
    query: recordQuery(database),
    batch(batch, options) {
      statements.push(...batch.map(({ text }) => text));
      return database.batch(batch, options);
    },
    transaction: (work, options) =>
      database.transaction((tx) => {
        const run: Transaction['run'] = (statement) => {
          statements.push(statement.text);
          return tx.run(statement);
        };
        return work({ query: recordQuery(tx), run });
      }, options),
    script: (sql) => database.script(sql),
    runExclusively: (work) => database.runExclusively(work),
    listen: (channel, onNotify) => database.listen(channel, onNotify),
    discardPreparedStatements: () => database.discardPreparedStatements(),
    close: async () => undefined,
  };
  return { recorded, statements };
}
