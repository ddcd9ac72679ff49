/** Bulk actions of the admin area. */
import { mutationOptions } from '@tanstack/react-query';
import type { ContentTable, Update } from '../api/tables.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { formValues } from './editing.ts';
import type { ContentKind } from './kind.ts';

/** Result of a bulk action. */
export interface BulkResult {
  done: number;
  failed: readonly { id: string; title: string; reason: string }[];
}

export type BulkAction = 'publish' | 'unpublish' | 'delete';

interface Selection {
  id: string;
  title: string;
}

/** Publishes, unpublishes or deletes items. Publishing validates each item like the form. */
export function bulkMutation(kind: ContentKind) {
  const { table } = kind;
  return mutationOptions({
    mutationKey: [table, 'bulk'],
    mutationFn: async ({ action, items }: { action: BulkAction; items: readonly Selection[] }): Promise<BulkResult> => {
      if (action === 'publish') return publishAll(kind, items);
      const api = await sessionApi();
      const ids = items.map(({ id }) => id);
      const { data } =
        action === 'delete'
          ? await api.from(table).delete().in('id', ids).select('id').throwOnError()
          : await api
              .from(table)
              .update<Update<ContentTable>>({ status: 'draft' })
              .in('id', ids)
              .select('id')
              .throwOnError();
      // Deleting an item that is already deleted counts as success.
      return action === 'delete' ? { done: ids.length, failed: [] } : toBulkResult(items, data, new Map());
    },
    onSettled: (_result, _error, _selected, _context, { client }) => client.invalidateQueries({ queryKey: [table] }),
  });
}

async function publishAll(kind: ContentKind, items: readonly Selection[]): Promise<BulkResult> {
  const api = await sessionApi();
  const ids = items.map(({ id }) => id);
  const { data: rows } = await api.from(kind.table).select().in('id', ids).throwOnError();
  const problems = new Map<string, string>();
  for (const row of rows) {
    const result = kind.schema.safeParse({ ...formValues(kind, row), status: 'published' });
    if (!result.success) problems.set(row.id, result.error.issues.map(({ message }) => message).join(', '));
  }
  const completeIds = rows.filter(({ id }) => !problems.has(id)).map(({ id }) => id);
  const { data } = await api
    .from(kind.table)
    .update<Update<ContentTable>>({ status: 'published' })
    .in('id', completeIds)
    .select('id')
    .throwOnError();
  return toBulkResult(items, data, problems);
}

function toBulkResult(
  items: readonly Selection[],
  done: readonly { id: string }[],
  reasons: ReadonlyMap<string, string>,
): BulkResult {
  const ids = new Set(done.map(({ id }) => id));
  const failed = items
    .filter(({ id }) => !ids.has(id))
    .map(({ id, title }) => ({ id, title, reason: reasons.get(id) ?? 'It no longer exists' }));
  return { done: ids.size, failed };
}
