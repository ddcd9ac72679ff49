import { dehydrate, hydrate, type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, createSerializationAdapter } from '@tanstack/react-router';
import { createIsomorphicFn } from '@tanstack/react-start';
import { gateChallenge } from './api/gate/challenge.ts';
import { previewBase } from './api/host/preview-base.ts';
import { createQueryClient } from './api/query-client.ts';
import { PendingPage } from './pending-page.tsx';
import { routeTree } from './routeTree.gen';
import { encodeCarets } from './ui/lib/encode-carets.ts';

const GENERIC_MESSAGE = 'The server could not load this page. Try again in a few minutes.';

/** Logs errors on the server and sends a generic message to the browser. */
const errorAdapter = createSerializationAdapter({
  key: 'error',
  test: (value: unknown): value is Error => value instanceof Error,
  toSerializable: (error) => {
    console.error(error);
    return GENERIC_MESSAGE;
  },
  fromSerializable: (message) => new Error(message),
});

/** Creates the router. Before hydration it loads the code that only gated pages and previews need. */
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
    // Path changes scroll to the top. navigation/scroll-positions.ts restores positions.
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
 * Serialises the query cache after the loaders are done. Rendering starts no further queries, so no data has to be
 * streamed. Plain JSON is faster on both sides. Behind the gate, no data is sent.
 */
function dehydrateQueries(queryClient: QueryClient): string {
  const dehydrated = dehydrate(queryClient, {
    shouldDehydrateQuery: ({ state }) => gateChallenge() === null && state.status !== 'pending',
  });
  for (const { state } of dehydrated.queries) {
    if (!state.error) continue;
    console.error(state.error);
    state.error = state.fetchFailureReason = { name: 'Error', message: GENERIC_MESSAGE };
  }
  return JSON.stringify(dehydrated);
}

/** Only the server dehydrates. The code is tree-shaken from the browser build. */
const writeQueries = createIsomorphicFn()
  .server(dehydrateQueries)
  .client((_queryClient: QueryClient) => '');

declare module '@tanstack/react-router' {
  interface Register {
    router: Awaited<ReturnType<typeof getRouter>>;
  }
}
