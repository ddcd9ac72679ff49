import type { Database, Queryable, Transaction } from '../../packages/backend/src/database/database.ts';

/** Makes a database that notes every statement before it passes it on. Closing it leaves the database itself open. */
export function recordDatabase(database: Database): { recorded: Database; statements: string[] } {
  const statements: string[] = [];
  const noteQuery =
    (target: Queryable): Queryable['query'] =>
    (text, values) => {
      statements.push(text);
      return target.query(text, values);
    };
  const recorded: Database = {
    query: noteQuery(database),
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
        return work({ query: noteQuery(tx), run });
      }, options),
    script: (sql) => database.script(sql),
    exclusively: (work) => database.exclusively(work),
    listen: (channel, onNotify) => database.listen(channel, onNotify),
    forgetPrepared: () => database.forgetPrepared(),
    close: async () => undefined,
  };
  return { recorded, statements };
}
