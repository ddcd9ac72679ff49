/**
 * Tries what each role may do with a table, without changing a row:
 * - Privileges on columns: reads of no rows, inserts of an empty list, and updates of rows that cannot exist.
 * - Rows: reads are counted. Every write is one that the table API undoes: updates and deletions carry `Prefer:
 *   handling=strict, max-affected=0`, inserts are of two rows where the answer may be one object only.
 */
import type { Answer, Column, Send } from './instance.ts';
import type { Asker } from './people.ts';

/** Roles that the table API runs a request as. */
const DATABASE_ROLES = ['anon', 'authenticated'] as const;

type DatabaseRole = (typeof DATABASE_ROLES)[number];

/** `*`, or names with commas; a verb that is not allowed is not there. */
type Privileges = Partial<Record<'select' | 'insert' | 'update' | 'delete', string>>;

/** Triggers see a row to be inserted before the policies do: one ended it, and what the policies say is not known. */
export const STOPPED = 'stopped';

/** `all`, `some`, `yes`, `stopped`, or the rows as a filter of the table API; a verb that reaches nothing is not there. */
type Reach = Partial<Record<'select' | 'insert' | 'upsert' | 'update' | 'delete', string>>;

export interface TableAccess {
  columns: Partial<Record<DatabaseRole, Privileges>>;
  rows: Partial<Record<string, Reach>>;
}

export interface TableProbe {
  send: Send;
  secretKey: string;
  askers: readonly Asker[];
  table: string;
  columns: readonly Column[];
  /** Declared access: filters in it are tried. */
  declared: TableAccess | undefined;
}

const UNDONE = 'handling=strict,max-affected=0';
const ONE_OBJECT = { accept: 'application/vnd.pgrst.object+json' };
const SAMPLE = 6;

/**
 * Tries on rows of the attack itself whether the instance undoes what it is asked to undo, and writes nothing for GET.
 * @throws Error when it does not: nothing else may be tried there
 */
export async function requireUndoing(send: Send, secretKey: string, askers: readonly Asker[]): Promise<void> {
  const roles = '/rest/v1/user_roles';
  const ours = `user_id=in.(${askers.map(({ id }) => id).join(',')})`;
  const { json } = await send(secretKey, 'GET', `${roles}?select=user_id,role,approved&${ours}`);
  const [changed, inserted, called] = await Promise.all([
    send(secretKey, 'PATCH', `${roles}?${ours}`, { body: { approved: true }, prefer: UNDONE }),
    send(secretKey, 'POST', roles, { body: json, prefer: 'resolution=merge-duplicates', headers: ONE_OBJECT }),
    send(askers.at(-1)?.token ?? null, 'GET', '/rest/v1/rpc/stop_editing?_kind=posts&_item_id=attack'),
  ]);
  if (changed.code === 'PGRST124' && inserted.code === 'PGRST116' && called.code === '25006') return;
  throw new Error(
    `This instance does not roll back writes with Prefer: tx=rollback (${changed.status}, ${inserted.status}, ${called.status}). Nothing was tested.`,
  );
}

export async function probeTable(probe: TableProbe): Promise<TableAccess> {
  const { askers } = probe;
  const visitor = askers.find(({ token }) => token === null);
  const person = askers.find(({ token }) => token !== null);
  const [anon, authenticated] = await Promise.all([
    visitor ? privilegesOf(probe, visitor) : {},
    person ? privilegesOf(probe, person) : {},
  ]);
  const sample = await sampleRows(probe);
  const reached = await Promise.all(
    askers.map(async (asker) => {
      const privileges = asker.token === null ? anon : authenticated;
      return [asker.role, await reachOf(probe, asker, privileges, sample)] as const;
    }),
  );
  return {
    columns: Object.fromEntries(Object.entries({ anon, authenticated }).filter(([, held]) => hasAny(held))),
    rows: Object.fromEntries(reached.filter(([, reach]) => hasAny(reach))),
  };
}

const hasAny = (value: object) => Object.keys(value).length > 0;

const isDenied = (answer: Answer) => answer.status === 401 || answer.status === 403 || answer.code === '42501';

const isDone = ({ status }: Answer) => status < 300;

/** Writes the filter that no row passes. */
const nowhere = ([key]: readonly string[]) => `${key}=is.null`;

function keysOf(columns: readonly Column[]): string[] {
  const keys = columns.filter(({ isKey }) => isKey);
  return (keys.length > 0 ? keys : columns.slice(0, 1)).map(({ name }) => name);
}

async function privilegesOf({ send, table, columns }: TableProbe, { token }: Asker): Promise<Privileges> {
  const path = `/rest/v1/${table}`;
  const names = columns.map(({ name }) => name);
  const where = nowhere(keysOf(columns));
  const select = await granted(names, (some) => send(token, 'GET', `${path}?select=${some.join(',')}&limit=0`));
  const insert = await granted(names, (some) =>
    send(token, 'POST', `${path}?columns=${some.join(',')}`, { body: [], prefer: 'return=minimal' }),
  );
  const update = await granted(names, (some) =>
    send(token, 'PATCH', `${path}?${where}`, {
      body: Object.fromEntries(some.map((name) => [name, null])),
      prefer: `${UNDONE},return=minimal`,
    }),
  );
  const removal = await send(token, 'DELETE', `${path}?${where}`, { prefer: `${UNDONE},return=minimal` });
  const all = { select, insert, update, delete: isDone(removal) ? 'yes' : '' };
  return Object.fromEntries(Object.entries(all).filter(([, held]) => held !== ''));
}

/** Asks for all columns at once, and for each where that is refused. @returns `*`, their names, or '' */
async function granted(names: readonly string[], ask: (some: readonly string[]) => Promise<Answer>): Promise<string> {
  if (isDone(await ask(names))) return '*';
  const each = await Promise.all(names.map(async (name) => (isDone(await ask([name])) ? [name] : [])));
  return each.flat().join(', ');
}

type Row = Record<string, unknown>;

/** Finds the column that says whose a row is, of a table that keeps clients apart. */
export function columnOfClient(table: string, columns: readonly Column[]): string | undefined {
  return table === 'clients' ? 'id' : columns.find(({ name }) => name === 'client_id')?.name;
}

/** Writes the filter for the rows of the asker's client; none without such rows or such a client. */
const ofOwnClient = ({ table, columns }: TableProbe, { client }: Asker): string[] => {
  const column = client && columnOfClient(table, columns);
  return column ? [`${column}=eq.{client}`] : [];
};

/** Reads some rows as they are: those of the askers first, or of their client. */
async function sampleRows({ send, secretKey, table, columns, askers }: TableProbe): Promise<Row[]> {
  const path = `/rest/v1/${table}?limit=${SAMPLE}&order=${keysOf(columns).join(',')}`;
  const ofClient = columnOfClient(table, columns);
  const column = ofClient ?? columns.find(({ name }) => name === 'user_id')?.name;
  const ids = askers.flatMap(({ id, client }) => (ofClient ? (client ?? []) : id)).join(',');
  const [own, others] = await Promise.all([
    column ? send(secretKey, 'GET', `${path}&${column}=in.(${ids})`) : null,
    send(secretKey, 'GET', column ? `${path}&${column}=not.in.(${ids})` : path),
  ]);
  return [own?.json, others.json].flatMap((rows) => (Array.isArray(rows) ? rows : []));
}

async function reachOf(probe: TableProbe, asker: Asker, held: Privileges, sample: readonly Row[]): Promise<Reach> {
  const [select, insert, upsert, update, removal] = await Promise.all([
    held.select ? rowsRead(probe, asker, held.select) : '',
    held.insert ? rowsInserted(probe, asker, held.insert, sample, 'return=minimal') : '',
    held.insert && held.update
      ? rowsInserted(probe, asker, held.insert, sample, 'return=minimal,resolution=merge-duplicates')
      : '',
    held.update ? rowsUpdated(probe, asker, held.update, sample) : '',
    held.delete ? rowsDeleted(probe, asker, sample) : '',
  ]);
  const all = { select, insert, upsert, update, delete: removal };
  return Object.fromEntries(Object.entries(all).filter(([, reach]) => reach !== ''));
}

async function rowsRead(probe: TableProbe, asker: Asker, columns: string): Promise<string> {
  const { send, secretKey, table, declared } = probe;
  const key = columns === '*' ? (keysOf(probe.columns)[0] ?? '') : (columns.split(', ')[0] ?? '');
  const count = async (token: string | null, filter = '') => {
    const path = `/rest/v1/${table}?select=${key}${filter}`;
    const { status, headers } = await send(token, 'HEAD', path, { prefer: 'count=exact' });
    return status < 300 ? Number(headers.get('content-range')?.split('/')[1] ?? 0) : Number.NaN;
  };
  const [seen, existing] = await Promise.all([count(asker.token), count(secretKey)]);
  if (seen === 0 || Number.isNaN(seen)) return '';
  const filters = [declared?.rows[asker.role]?.select ?? '', ...ofOwnClient(probe, asker)];
  for (const filter of filters.filter((filter) => filter.includes('='))) {
    const rows = `&${filter.replaceAll('{me}', asker.id).replaceAll('{client}', asker.client ?? '')}`;
    const [expected, passing] = await Promise.all([count(secretKey, rows), count(asker.token, rows)]);
    if (seen === expected && seen === passing) return filter;
  }
  return seen === existing ? 'all' : 'some';
}

/** Constraints are held after the policies have let a row in, and the answer that may be one object comes last. */
function isInserted({ status, code, text }: Answer): boolean {
  return status < 300 || code === 'PGRST116' || /violates \S+(?: key)? constraint/.test(text);
}

/** Returns the best that any sample row comes to, with the asker's own id where a column names a person. */
async function rowsInserted(
  probe: TableProbe,
  asker: Asker,
  granted: string,
  sample: readonly Row[],
  prefer: string,
): Promise<string> {
  const { send, table, columns } = probe;
  const { id, token } = asker;
  const allowed = columns.filter(({ name }) => granted === '*' || granted.split(', ').includes(name));
  // A second thing that stops it: rules about a row rarely read its last required column.
  const emptied = allowed.filter(({ isRequired }) => isRequired).at(-1)?.name;
  const rows = sample.length > 0 ? sample : [{}];
  const answers = await Promise.all(
    rows.map((row) => {
      const values = allowed.map(({ name }) => [name, name === 'user_id' ? id : (row[name] ?? null)] as const);
      const body = Object.fromEntries(values.map(([name, value]) => [name, name === emptied ? null : value]));
      return send(token, 'POST', `/rest/v1/${table}`, { body: [body, body], prefer, headers: ONE_OBJECT });
    }),
  );
  if (answers.some(isInserted)) return whereReached(probe, asker, rows, answers.map(isInserted)) ?? 'yes';
  return answers.every(isDenied) ? '' : STOPPED;
}

/** Sets one column to the value that it has. */
async function rowsUpdated(probe: TableProbe, asker: Asker, granted: string, sample: readonly Row[]): Promise<string> {
  const { send, table, columns } = probe;
  const keys = keysOf(columns);
  const plain = columns.map(({ name }) => name).filter((name) => !keys.includes(name));
  const column = granted === '*' ? plain[0] : granted.split(', ')[0];
  if (column === undefined) return 'not tried';
  const answers = await Promise.all(
    sample.map((row) =>
      send(asker.token, 'PATCH', `/rest/v1/${table}?${filterOf(row, keys)}`, {
        body: { [column]: row[column] ?? null },
        prefer: `${UNDONE},return=minimal`,
      }),
    ),
  );
  return share(probe, asker, sample, answers);
}

async function rowsDeleted(probe: TableProbe, asker: Asker, sample: readonly Row[]) {
  const { send, table, columns } = probe;
  const answers = await Promise.all(
    sample.map((row) =>
      send(asker.token, 'DELETE', `/rest/v1/${table}?${filterOf(row, keysOf(columns))}`, {
        prefer: `${UNDONE},return=minimal`,
      }),
    ),
  );
  return share(probe, asker, sample, answers);
}

/**
 * Tells which share of the rows was reached: a row is when the write was stopped by anything but a policy, such as its
 * count, a trigger or a constraint.
 */
function share(probe: TableProbe, asker: Asker, sample: readonly Row[], answers: readonly Answer[]): string {
  const reached = answers.map((answer) => !isDenied(answer) && answer.status >= 300);
  if (!reached.includes(true)) return '';
  return whereReached(probe, asker, sample, reached) ?? (reached.includes(false) ? 'some' : 'all');
}

/** Returns the filter for the rows of the asker's client, when those were reached and no others of the sample. */
function whereReached(probe: TableProbe, asker: Asker, sample: readonly Row[], reached: readonly boolean[]) {
  const [filter] = ofOwnClient(probe, asker);
  const column = columnOfClient(probe.table, probe.columns) ?? '';
  const isExact = sample.every((row, index) => (row[column] === asker.client) === reached[index]);
  return isExact && !reached.every(Boolean) ? filter : undefined;
}

function filterOf(row: Row, keys: readonly string[]): string {
  return keys.map((key) => `${key}=eq.${encodeURIComponent(String(row[key]))}`).join('&');
}
