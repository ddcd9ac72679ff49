import { dehydrate, hydrate, type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, createSerializationAdapter } from '@tanstack/react-router';
import { createIsomorphicFn } from '@tanstack/react-start';
import { gateChallenge } from './api/gate/challenge.ts';
import { previewBase } from './api/host/preview-base.ts';
import { createQueryClient } from './api/query-client.ts';
import { PendingPage } from './pending-page.tsx';
import { routeTree } from './routeTree.gen';
import { encodeCarets } from './ui/lib/encode-carets.ts';

const FAILED = 'The server could not load this.';

/** An error on the server is logged there; the page learns only that there was one, never its message. */
const errorAdapter = createSerializationAdapter({
  key: 'error',
  test: (value: unknown): value is Error => value instanceof Error,
  toSerializable: (error) => {
    console.error(error);
    return FAILED;
  },
  fromSerializable: (message) => new Error(message),
});

/** Makes the router. It loads the parts that only gated pages and those of a preview need, before React takes over. */
export async function getRouter() {
  const queryClient = createQueryClient();
  const base = previewBase();
  const [gate, preview] = await Promise.all([
    gateChallenge() && import('./site/gate/gate.tsx'),
    base && import('./site/preview/preview-rewrite.ts'),
  ]);
  const router = createRouter({
    routeTree,
    context: { queryClient, Gate: gate?.Gate },
    rewrite: preview ? preview.previewRewrite(base) : undefined,
    caseSensitive: true,
    // Every change of the path starts at the top, at once; navigation/scroll-positions.ts leads back down.
    scrollRestoration: false,
    scrollRestorationBehavior: 'instant',
    defaultPreload: 'intent',
    defaultPendingComponent: PendingPage,
    Wrap: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    dehydrate: () => ({ queries: writeQueries(queryClient) }),
    hydrate: ({ queries }) => hydrate(queryClient, JSON.parse(queries)),
  });
  router.options.serializationAdapters = [errorAdapter];
  const buildLocation = router.buildLocation;
  router.buildLocation = (options) => {
    const location = buildLocation(options);
    return { ...location, href: encodeCarets(location.href), publicHref: encodeCarets(location.publicHref) };
  };
  return router;
}

/**
 * Writes down what the loaders read, as it is when they are done: no page reads more while it renders, so nothing has
 * to be streamed after it. It is plain data, for which JSON is faster on both sides. Behind the gate nothing leaves the
 * server.
 */
function dehydrateQueries(queryClient: QueryClient): string {
  const dehydrated = dehydrate(queryClient, {
    shouldDehydrateQuery: ({ state }) => gateChallenge() === null && state.status !== 'pending',
  });
  for (const { state } of dehydrated.queries) {
    if (!state.error) continue;
    console.error(state.error);
    state.error = state.fetchFailureReason = { name: 'Error', message: FAILED };
  }
  return JSON.stringify(dehydrated);
}

/** Only the server writes a page: the browser's script is without the code for it. */
const writeQueries = createIsomorphicFn()
  .server(dehydrateQueries)
  .client((_queryClient: QueryClient) => '');

declare module '@tanstack/react-router' {
  interface Register {
    router: Awaited<ReturnType<typeof getRouter>>;
  }
}
