import { createFileRoute, notFound } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';

/** Around the list and the forms of one kind of content: finds it by the address /admin/{kind}. */
export const Route = createFileRoute('/_gate/admin/$kind')({
  // The forms have the state of the list in their address too, so that they lead back to where they were opened.
  validateSearch: readListSearch,
  beforeLoad: async ({ params }) => {
    // Imported here, so that visitors, who have every route's beforeLoad, do not download the kinds.
    const { KINDS } = await import('../kinds.ts');
    const kind = KINDS.find(({ path }) => path === params.kind);
    if (!kind) throw notFound();
    return { kind };
  },
});
