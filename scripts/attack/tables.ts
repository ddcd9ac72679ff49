/**
 * Tests what each role can do with a table, without changing a row:
 * - Column privileges: selects of no rows, inserts of an empty list, and updates with a filter that matches nothing.
 * - Rows: selects are counted. All writes are rolled back: updates and deletes use `Prefer:
 * handling=strict, max-affected=0`, and inserts have two rows but request a single object.
 */
import type { ApiResponse, Column, Send } from './instance.ts';
import type { Caller } from './people.ts';

/** Database roles of the table API. */
const DATABASE_ROLES = ['anon', 'authenticated'] as const;

type DatabaseRole = (typeof DATABASE_ROLES)[number];

/** `*`, or column names separated by commas. Verbs without a privilege are omitted. */
type Privileges = Partial<Record<'select' | 'insert' | 'update' | 'delete', string>>;

/** A BEFORE trigger rejected the row, so the policies were not evaluated. */
export const STOPPED = 'stopped';

/**
 * `all`, `some`, `yes`, `stopped`, or the accessible rows as a filter of the table API. Verbs without access are
 * omitted.
 */
type Reach = Partial<Record<'select' | 'insert' | 'upsert' | 'update' | 'delete', string>>;

export interface TableAccess {
  columns: Partial<Record<DatabaseRole, Privileges>>;
  rows: Partial<Record<string, Reach>>;
}

export interface TableProbe {
  send: Send;
  secretKey: string;
  callers: readonly Caller[];
  table: string;
  columns: readonly Column[];
  /** Declared access. Its filters are tested too. */
  declared: TableAccess | undefined;
}

const ROLL_BACK = 'handling=strict,max-affected=0';
const ONE_OBJECT = { accept: 'application/vnd.pgrst.object+json' };
const SAMPLE_SIZE = 6;

/**
 * Checks with the attack's own rows that the instance rolls back writes and does not write on GET.
 * @throws Error if it does not, because further tests would change data
 */
export async function requireRollback(send: Send, secretKey: string, callers: readonly Caller[]): Promise<void> {
  const roles = '/rest/v1/user_roles';
  const ownRows = `user_id=in.(${callers.map(({ id }) => id).join(',')})`;
  const { json } = await send(secretKey, 'GET', `${roles}?select=user_id,role,approved&${ownRows}`);
  const [updateResponse, insertResponse, callResponse] = await Promise.all([
    send(secretKey, 'PATCH', `${roles}?${ownRows}`, { body: { approved: true }, prefer: ROLL_BACK }),
    send(secretKey, 'POST', roles, { body: json, prefer: 'resolution=merge-duplicates', headers: ONE_OBJECT }),
    send(callers.at(-1)?.token ?? null, 'GET', '/rest/v1/rpc/stop_editing?_kind=posts&_item_id=attack'),
  ]);
  if (updateResponse.code === 'PGRST124' && insertResponse.code === 'PGRST116' && callResponse.code === '25006') return;
  throw new Error(
    `This instance does not roll back writes with Prefer: tx=rollback (${updateResponse.status}, ${insertResponse.status}, ${callResponse.status}). Nothing was tested.`,
  );
}

export async function probeTable(probe: TableProbe): Promise<TableAccess> {
  const { callers } = probe;
  const visitor = callers.find(({ token }) => token === null);
  const account = callers.find(({ token }) => token !== null);
  const [anon, authenticated] = await Promise.all([
    visitor ? probePrivileges(probe, visitor) : {},
    account ? probePrivileges(probe, account) : {},
  ]);
  const sample = await readSampleRows(probe);
  const reachByRole = await Promise.all(
    callers.map(async (caller) => {
      const privileges = caller.token === null ? anon : authenticated;
      return [caller.role, await probeReach(probe, caller, privileges, sample)] as const;
    }),
  );
  return {
    columns: Object.fromEntries(Object.entries({ anon, authenticated }).filter(([, verbs]) => hasAny(verbs))),
    rows: Object.fromEntries(reachByRole.filter(([, reach]) => hasAny(reach))),
  };
}

const hasAny = (value: object) => Object.keys(value).length > 0;

const isDenied = (response: ApiResponse) =>
  response.status === 401 || response.status === 403 || response.code === '42501';

const isDone = ({ status }: ApiResponse) => status < 300;

/** Returns a filter that matches no row. */
const filterWithoutMatch = ([key]: readonly string[]) => `${key}=is.null`;

function listKeyColumns(columns: readonly Column[]): string[] {
  const keys = columns.filter(({ isKey }) => isKey);
  return (keys.length > 0 ? keys : columns.slice(0, 1)).map(({ name }) => name);
}

async function probePrivileges({ send, table, columns }: TableProbe, { token }: Caller): Promise<Privileges> {
  const path = `/rest/v1/${table}`;
  const names = columns.map(({ name }) => name);
  const filter = filterWithoutMatch(listKeyColumns(columns));
  const select = await findGranted(names, (subset) => send(token, 'GET', `${path}?select=${subset.join(',')}&limit=0`));
  const insert = await findGranted(names, (subset) =>
    send(token, 'POST', `${path}?columns=${subset.join(',')}`, { body: [], prefer: 'return=minimal' }),
  );
  const update = await findGranted(names, (subset) =>
    send(token, 'PATCH', `${path}?${filter}`, {
      body: Object.fromEntries(subset.map((name) => [name, null])),
      prefer: `${ROLL_BACK},return=minimal`,
    }),
  );
  const removal = await send(token, 'DELETE', `${path}?${filter}`, { prefer: `${ROLL_BACK},return=minimal` });
  const privileges = { select, insert, update, delete: isDone(removal) ? 'yes' : '' };
  return Object.fromEntries(Object.entries(privileges).filter(([, allowed]) => allowed !== ''));
}

/** Requests all columns at once, and each column separately if that is denied. @returns `*`, column names, or '' */
async function findGranted(
  names: readonly string[],
  request: (subset: readonly string[]) => Promise<ApiResponse>,
): Promise<string> {
  if (isDone(await request(names))) return '*';
  const grantedColumns = await Promise.all(names.map(async (name) => (isDone(await request([name])) ? [name] : [])));
  return grantedColumns.flat().join(', ');
}

type Row = Record<string, unknown>;

/** Returns the column with the client id, for tables separated by client. */
export function findClientColumn(table: string, columns: readonly Column[]): string | undefined {
  return table === 'clients' ? 'id' : columns.find(({ name }) => name === 'client_id')?.name;
}

/** Returns the filter for rows of the caller's client, or an empty array without a client. */
const createClientFilter = ({ table, columns }: TableProbe, { client }: Caller): string[] => {
  const column = client && findClientColumn(table, columns);
  return column ? [`${column}=eq.{client}`] : [];
};

/** Reads sample rows. Rows of the test accounts and their client come first. */
async function readSampleRows({ send, secretKey, table, columns, callers }: TableProbe): Promise<Row[]> {
  const path = `/rest/v1/${table}?limit=${SAMPLE_SIZE}&order=${listKeyColumns(columns).join(',')}`;
  const clientColumn = findClientColumn(table, columns);
  const column = clientColumn ?? columns.find(({ name }) => name === 'user_id')?.name;
  const ids = callers.flatMap(({ id, client }) => (clientColumn ? (client ?? []) : id)).join(',');
  const [relatedRows, otherRows] = await Promise.all([
    column ? send(secretKey, 'GET', `${path}&${column}=in.(${ids})`) : null,
    send(secretKey, 'GET', column ? `${path}&${column}=not.in.(${ids})` : path),
  ]);
  return [relatedRows?.json, otherRows.json].flatMap((rows) => (Array.isArray(rows) ? rows : []));
}

async function probeReach(
  probe: TableProbe,
  caller: Caller,
  privileges: Privileges,
  sample: readonly Row[],
): Promise<Reach> {
  const [select, insert, upsert, update, removal] = await Promise.all([
    privileges.select ? probeReads(probe, caller, privileges.select) : '',
    privileges.insert ? probeInserts(probe, caller, privileges.insert, sample, 'return=minimal') : '',
    privileges.insert && privileges.update
      ? probeInserts(probe, caller, privileges.insert, sample, 'return=minimal,resolution=merge-duplicates')
      : '',
    privileges.update ? probeUpdates(probe, caller, privileges.update, sample) : '',
    privileges.delete ? probeDeletes(probe, caller, sample) : '',
  ]);
  const reach = { select, insert, upsert, update, delete: removal };
  return Object.fromEntries(Object.entries(reach).filter(([, reach]) => reach !== ''));
}

async function probeReads(probe: TableProbe, caller: Caller, columns: string): Promise<string> {
  const { send, secretKey, table, declared } = probe;
  const key = columns === '*' ? (listKeyColumns(probe.columns)[0] ?? '') : (columns.split(', ')[0] ?? '');
  const count = async (token: string | null, filter = '') => {
    const path = `/rest/v1/${table}?select=${key}${filter}`;
    const { status, headers } = await send(token, 'HEAD', path, { prefer: 'count=exact' });
    return status < 300 ? Number(headers.get('content-range')?.split('/')[1] ?? 0) : Number.NaN;
  };
  const [visibleCount, totalCount] = await Promise.all([count(caller.token), count(secretKey)]);
  if (visibleCount === 0 || Number.isNaN(visibleCount)) return '';
  const filters = [declared?.rows[caller.role]?.select ?? '', ...createClientFilter(probe, caller)];
  for (const filter of filters.filter((filter) => filter.includes('='))) {
    const rows = `&${filter.replaceAll('{me}', caller.id).replaceAll('{client}', caller.client ?? '')}`;
    const [allMatches, visibleMatches] = await Promise.all([count(secretKey, rows), count(caller.token, rows)]);
    if (visibleCount === allMatches && visibleCount === visibleMatches) return filter;
  }
  return visibleCount === totalCount ? 'all' : 'some';
}

/** Returns whether the policies allowed the insert. Constraints and the single-object error are checked after them. */
function isInserted({ status, code, text }: ApiResponse): boolean {
  return status < 300 || code === 'PGRST116' || /violates \S+(?: key)? constraint/.test(text);
}

/** Returns the best result of inserting each sample row, with the caller's id in columns that reference a user. */
async function probeInserts(
  probe: TableProbe,
  caller: Caller,
  granted: string,
  sample: readonly Row[],
  prefer: string,
): Promise<string> {
  const { send, table, columns } = probe;
  const { id, token } = caller;
  const allowed = columns.filter(({ name }) => granted === '*' || granted.split(', ').includes(name));
  // Null in a required column is a second reason to roll back. Policies rarely read the last required column.
  const nulledColumn = allowed.filter(({ isRequired }) => isRequired).at(-1)?.name;
  const rows = sample.length > 0 ? sample : [{}];
  const responses = await Promise.all(
    rows.map((row) => {
      const values = allowed.map(({ name }) => [name, name === 'user_id' ? id : (row[name] ?? null)] as const);
      const body = Object.fromEntries(values.map(([name, value]) => [name, name === nulledColumn ? null : value]));
      return send(token, 'POST', `/rest/v1/${table}`, { body: [body, body], prefer, headers: ONE_OBJECT });
    }),
  );
  if (responses.some(isInserted)) return reachedFilter(probe, caller, rows, responses.map(isInserted)) ?? 'yes';
  return responses.every(isDenied) ? '' : STOPPED;
}

/** Updates one column to its current value. */
async function probeUpdates(
  probe: TableProbe,
  caller: Caller,
  granted: string,
  sample: readonly Row[],
): Promise<string> {
  const { send, table, columns } = probe;
  const keys = listKeyColumns(columns);
  const plain = columns.map(({ name }) => name).filter((name) => !keys.includes(name));
  const column = granted === '*' ? plain[0] : granted.split(', ')[0];
  if (column === undefined) return 'not tried';
  const responses = await Promise.all(
    sample.map((row) =>
      send(caller.token, 'PATCH', `/rest/v1/${table}?${createFilter(row, keys)}`, {
        body: { [column]: row[column] ?? null },
        prefer: `${ROLL_BACK},return=minimal`,
      }),
    ),
  );
  return share(probe, caller, sample, responses);
}

async function probeDeletes(probe: TableProbe, caller: Caller, sample: readonly Row[]) {
  const { send, table, columns } = probe;
  const responses = await Promise.all(
    sample.map((row) =>
      send(caller.token, 'DELETE', `/rest/v1/${table}?${createFilter(row, listKeyColumns(columns))}`, {
        prefer: `${ROLL_BACK},return=minimal`,
      }),
    ),
  );
  return share(probe, caller, sample, responses);
}

/**
 * Returns the share of rows reached. A row counts as reached if the write failed for a reason other than a policy, such
 * as max-affected, a trigger or a constraint.
 */
function share(probe: TableProbe, caller: Caller, sample: readonly Row[], responses: readonly ApiResponse[]): string {
  const reachedRows = responses.map((response) => !isDenied(response) && response.status >= 300);
  if (!reachedRows.includes(true)) return '';
  return reachedFilter(probe, caller, sample, reachedRows) ?? (reachedRows.includes(false) ? 'some' : 'all');
}

/** Returns the filter of the caller's client if exactly its rows were reached. */
function reachedFilter(probe: TableProbe, caller: Caller, sample: readonly Row[], reachedRows: readonly boolean[]) {
  const [filter] = createClientFilter(probe, caller);
  const column = findClientColumn(probe.table, probe.columns) ?? '';
  const isExact = sample.every((row, index) => (row[column] === caller.client) === reachedRows[index]);
  return isExact && !reachedRows.every(Boolean) ? filter : undefined;
}

function createFilter(row: Row, keys: readonly string[]): string {
  return keys.map((key) => `${key}=eq.${encodeURIComponent(String(row[key]))}`).join('&');
}
