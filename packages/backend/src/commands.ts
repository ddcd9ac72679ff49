/** Exports for command-line tools: migrations, archives, backups, signing keys. */
export { WeakPasswordError } from './auth/error-codes.ts';
export { requireStrongPassword } from './auth/passwords.ts';
export { OPTIONS, readConfig, VARIABLE_NAMES, VARIABLES } from './config.ts';
export { CHAPTERS, OPTION_DESCRIPTIONS } from './config-descriptions.ts';
export {
  baselineHeader,
  hashMigration,
  type LandedMigration,
  landedListPath,
  readLanded,
  requireOrder,
} from './database/landed-migrations.ts';
export { isMigration, migrate, readSqlFiles } from './database/migrate.ts';
export { seed } from './database/seed.ts';
export { openDeployment, openTarget } from './export-import/deployments.ts';
export { type ArchiveSummary, exportArchive } from './export-import/export-archive.ts';
export { ownFiles } from './export-import/files.ts';
export { importArchive } from './export-import/import-archive.ts';
export { listTables, quote, type Table as ArchiveTable, tableSql } from './export-import/tables.ts';
export { listSigningKeys, loadKeys, revokeSigningKey, rotateSigningKey } from './http/keys.ts';
export { openExistingDatabase } from './open-database.ts';
export { openBackupStore } from './point-in-time/backup-store.ts';
export { earliestTime, newestChain } from './point-in-time/chains.ts';
export { restoreToTime } from './point-in-time/restore-to-time.ts';
export { openTemporaryDatabase } from './postgres/temporary-database.ts';
export { readQueueMetrics } from './queue-metrics.ts';
export { loadSchemaCache } from './rest/schema/load-schema-cache.ts';
export type { Column, Parameter, Relationship, RestFunction, SchemaCache, Table } from './rest/schema/schema-cache.ts';
export { openLocalByteStore } from './storage/bytes/local-byte-store.ts';
export { openByteStore, requireByteStore } from './storage/bytes/open-byte-store.ts';
export { MAX_FILE_BYTES } from './storage/storage.ts';
