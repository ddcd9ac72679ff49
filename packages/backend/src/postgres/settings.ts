/** Settings of the built-in Postgres server, for a small machine shared with the site. */

/** Connections in addition to the pool: a listener, commands, psql, and those that Postgres reserves. */
const EXTRA_CONNECTIONS = 15;

const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** @param poolSize connections of the site's pool */
export function settingsFor(poolSize: number, { isDurable }: { isDurable: boolean }): Record<string, string> {
  return {
    ...(isDurable ? {} : NOT_DURABLE),
    max_connections: String(poolSize + EXTRA_CONNECTIONS),
    shared_buffers: '48MB',
    min_wal_size: '64MB',
    max_wal_size: '256MB',
    huge_pages: 'off',
    jit: 'off',
    // Parallel workers are separate processes, which cost too much on a small machine.
    io_method: 'sync',
    max_parallel_workers: '0',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    max_logical_replication_workers: '0',
    max_wal_senders: '0',
    idle_in_transaction_session_timeout: '5min',
    temp_file_limit: '256MB',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Do not log statement errors. The caller handles them, and their text can contain personal data.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
  };
}
