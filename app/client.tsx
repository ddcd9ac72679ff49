/** Takes over the page that the server rendered. No server functions are used, so their client stays out of the bundle. */
import { RouterClient } from '@tanstack/react-router/ssr/client';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { listenBeforeRouter } from './lib/in-page-history.ts';
import { layOutWhenIdle } from './lib/settle-scroll.ts';
import { whenIdle } from './lib/when-idle.ts';
import { stayOnFirstPage } from './navigation/scroll-positions.ts';
import { getRouter } from './router.tsx';

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
