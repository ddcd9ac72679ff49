/** Opens the database alone. A server begins with this, so that the database starts while the rest is loaded. */
export { parseConfig } from './config.ts';
export { type OpenDatabase, openDatabase } from './open-database.ts';
