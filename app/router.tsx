import { createRouter } from '@tanstack/react-router';
import { setupRouterSsrQueryIntegration } from '@tanstack/react-router-ssr-query';
import { createQueryClient } from './data/query-client.ts';
import { gateChallenge } from './gate/challenge.ts';
import { PendingPage } from './pending-page.tsx';
import { routeTree } from './routeTree.gen';

export function getRouter() {
  const queryClient = createQueryClient();
  const router = createRouter({
    routeTree,
    context: { queryClient },
    caseSensitive: true,
    // Without restoration every change of the path starts at the top, at once.
    scrollRestoration: false,
    scrollRestorationBehavior: 'instant',
    defaultPreload: 'intent',
    defaultPendingComponent: PendingPage,
  });
  setupRouterSsrQueryIntegration({
    router,
    queryClient,
    // Behind the gate nothing that was read leaves the server.
    dehydrateOptions: { shouldDehydrateQuery: () => gateChallenge() === null },
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof getRouter>;
  }
}
