/**
 * Tests which roles can call a function. The calls use GET, so they run in a read-only transaction. If a call fails
 * only at a write (25006), the caller was allowed to run the function.
 */
import type { ApiResponse, Send } from './instance.ts';
import { type Caller, MARK } from './people.ts';

/**
 * Result by role. `denied`: the role lacks the privilege. `refused`: the function rejects the caller. `writes`:
 * allowed, and stopped at a write. `nothing`: allowed, with an empty response. `others`: allowed, and the response
 * contains other users' data. `answers`: allowed, without such data. Other errors are given by their code.
 */
export type FunctionAccess = Partial<Record<string, string>>;

/** Arguments that are validated before the caller is checked, so an arbitrary text would fail too early. */
const TEXTS: Record<string, string> = {
  _kind: 'posts',
  _table: 'posts',
  _role: 'client',
  _email: 'nobody@attack.invalid',
  _time_zone: 'Europe/Oslo',
};

/** Tests a function with every role. @param client id passed to the function. Default: the client of the member */
export async function probeFunction(
  send: Send,
  callers: readonly Caller[],
  name: string,
  types: Readonly<Record<string, string>>,
  client?: string,
): Promise<FunctionAccess> {
  const path = callPath(name, types, callers, client);
  const responses = callers.map(
    async (caller) => [caller.role, outcome(await send(caller.token, 'GET', path), caller)] as const,
  );
  return Object.fromEntries(await Promise.all(responses));
}

/** Returns the URL of a call, with an argument for each parameter. */
export function callPath(
  name: string,
  types: Readonly<Record<string, string>>,
  callers: readonly Caller[],
  client = callers.find(({ role }) => role === 'member')?.client ?? '',
): string {
  // Id of another user. The policy tests cover access to the caller's own data.
  const target = callers.find(({ role }) => role === 'client')?.id ?? '';
  const parameters = Object.entries(types).map(
    ([argument, type]) => `${argument}=${encodeURIComponent(value(argument, type, target, client))}`,
  );
  return `/rest/v1/rpc/${name}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}

function value(name: string, type: string, target: string, client: string): string {
  if (name === '_client_id') return client;
  if (name === '_client_ids') return `{${client}}`;
  if (name === '_metrics') return '{sent}';
  if (type.endsWith('[]')) return type.startsWith('uuid') ? `{${target}}` : '{}';
  if (type === 'uuid') return target;
  if (type === 'boolean') return 'true';
  if (/int|numeric|real|double/.test(type)) return name === '_offset' ? '0' : '1';
  if (type.startsWith('json')) return '[]';
  if (/timestamp|date/.test(type)) return name === '_to' ? '2026-01-02T00:00:00Z' : '2026-01-01T00:00:00Z';
  return TEXTS[name] ?? (/token|secret|hash|sha256/.test(name) ? '0'.repeat(64) : 'attack');
}

function outcome({ status, code, text, json }: ApiResponse, caller: Caller): string {
  if (code === '42501' && /permission denied for (function|schema)/.test(text)) return 'denied';
  if (code === '42501' || status === 401 || status === 403) return 'refused';
  if (code === '25006') return 'writes';
  if (status >= 300) return code || String(status);
  const isEmpty = text === '' || json === null || (Array.isArray(json) && json.length === 0);
  if (isEmpty) return 'nothing';
  return hasDataOfOthers(text, caller) ? OTHERS : 'answers';
}

/** Result for a response that contains data of other users. */
export const OTHERS = 'others';

const ATTACK_MARKERS = new RegExp(`[\\w-]+${MARK}|attack[- ]draft`, 'gi');

/** Searches for the marked addresses and drafts that were created to recognize a leak. */
function hasDataOfOthers(text: string, { email }: Caller): boolean {
  return (text.match(ATTACK_MARKERS) ?? []).some((marker) => marker !== email);
}
