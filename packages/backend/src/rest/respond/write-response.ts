import type { Preferences } from '../parse/parse-preferences.ts';
import type { RestRequest } from '../parse/parse-request.ts';
import type { WritePlan } from '../plan/write-plan.ts';
import { contentRange } from './content-range.ts';
import { preferenceApplied } from './preference-applied.ts';

export interface WriteResult {
  body: string;
  rows: number;
  /** Number of rows that an upsert updated. */
  updated: number;
  /** The primary key of the first row, if requested. */
  location?: Record<string, unknown> | null;
}

const RELEVANT: Record<string, readonly (keyof Preferences)[]> = {
  POST: ['missing', 'return', 'count', 'tx', 'handling'],
  PATCH: ['missing', 'return', 'count', 'tx', 'handling', 'maxAffected'],
  PUT: ['return', 'count', 'tx', 'handling'],
  DELETE: ['return', 'count', 'tx', 'handling', 'maxAffected'],
};

/** Returns status, headers and body of a committed write. */
export function respondToWrite(request: RestRequest, plan: WritePlan, result: WriteResult): Response {
  const { method, preferences, mediaType } = request;
  const headers: Record<string, string> = {};
  const relevant = RELEVANT[method] ?? [];
  const applied = preferenceApplied(
    preferences,
    plan.conflict && method === 'POST' ? ['resolution', ...relevant] : relevant,
  );
  if (applied !== null) headers['preference-applied'] = applied;
  if (method !== 'PUT') {
    const total = preferences.count === 'exact' || preferences.count === 'estimated' ? result.rows : null;
    const last = method === 'PATCH' ? result.rows - 1 : -1;
    headers['content-range'] = contentRange(0, last, total);
  }
  if (result.location && result.rows === 1) headers['location'] = formatLocation(plan.table.name, result.location);
  if (request.returnsProfile) headers['content-profile'] = request.schema;
  const status = writeStatus(request, plan, result);
  if (plan.returns !== 'rows') return new Response(null, { status, headers });
  headers['content-type'] = mediaType.contentType;
  return new Response(result.body, { status, headers });
}

function writeStatus({ method }: RestRequest, plan: WritePlan, { rows, updated }: WriteResult): number {
  const hasInserted = rows > updated;
  if (method === 'POST') return plan.conflict?.resolution === 'merge-duplicates' && !hasInserted ? 200 : 201;
  if (plan.returns !== 'rows') return 204;
  return method === 'PUT' && hasInserted ? 201 : 200;
}

function formatLocation(table: string, key: Record<string, unknown>): string {
  const filters = Object.entries(key).map(([column, value]) => {
    const filter = value === null ? 'is.null' : `eq.${typeof value === 'string' ? value : JSON.stringify(value)}`;
    return `${encodeURIComponent(column)}=${encodeURIComponent(filter)}`;
  });
  return `/${encodeURIComponent(table)}?${filters.join('&')}`;
}
