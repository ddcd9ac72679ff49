import { createFileRoute, notFound } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';

/** Layout route of the list and forms of one kind, found by the URL /admin/{kind}. */
export const Route = createFileRoute('/_gate/admin/$kind')({
  // Forms keep the list's state in their URL too, so that they can return to it.
  validateSearch: readListSearch,
  beforeLoad: async ({ params }) => {
    // Imported dynamically: `beforeLoad` is in the main chunk, and visitors do not need the kinds.
    const { KINDS } = await import('../kinds.ts');
    const kind = KINDS.find(({ path }) => path === params.kind);
    if (!kind) throw notFound();
    return { kind };
  },
});
