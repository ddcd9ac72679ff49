import { createFileRoute, notFound } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';

/** Layout route for the list and the forms of a kind, at /admin/{kind}. */
export const Route = createFileRoute('/_gate/admin/$kind')({
  // Form URLs include the list's search parameters, so that closing a form restores the list.
  validateSearch: readListSearch,
  beforeLoad: async ({ params }) => {
    // Import the kinds dynamically, because `beforeLoad` is in the main chunk and visitors do not need them.
    const { KINDS } = await import('../kinds.ts');
    const kind = KINDS.find(({ path }) => path === params.kind);
    if (!kind) throw notFound();
    return { kind };
  },
});
