/** Takes over the page that the server rendered. No server functions are used, so their client stays out of the bundle. */
import { RouterClient } from '@tanstack/react-router/ssr/client';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { getRouter } from './router.tsx';
import { stayOnFirstPage } from './site/navigation/scroll-positions.ts';
import { listenBeforeRouter } from './ui/lib/in-page-history.ts';
import { layOutWhenIdle } from './ui/lib/settle-scroll.ts';
import { whenIdle } from './ui/lib/when-idle.ts';

declare global {
  /** Settings that every copy of Zod reads; importing its config() would put 3 kB into each first page. */
  var __zod_globalConfig: { jitless?: boolean } | undefined;
}

// Zod would try whether it may compile code from text, which the Content-Security-Policy refuses and reports.
globalThis.__zod_globalConfig = { jitless: true };

listenBeforeRouter();

// A task of its own: the phone may answer its owner between running the modules and taking over the page.
setTimeout(async () => {
  const router = await getRouter();
  stayOnFirstPage(router);
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RouterClient router={router} />
      </StrictMode>,
    );
  });
  whenIdle(layOutWhenIdle);
});
