/** Opens only the database, so that it starts while the rest of the program is loaded. */
export { parseConfig } from './config.ts';
export { type OpenDatabase, openDatabase } from './open-database.ts';
