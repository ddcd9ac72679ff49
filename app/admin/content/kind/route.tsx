import { createFileRoute, notFound } from '@tanstack/react-router';

/** Around the list and the forms of one kind of content: finds its screen by the address /admin/{kind}. */
export const Route = createFileRoute('/_gate/admin/$kind')({
  beforeLoad: async ({ params }) => {
    // Imported here, so that visitors, who have every route's beforeLoad, do not download the screens.
    const { CONTENT_SCREENS } = await import('../screens.ts');
    const screen = CONTENT_SCREENS.find(({ path }) => path === params.kind);
    if (!screen) throw notFound();
    return { screen };
  },
});
