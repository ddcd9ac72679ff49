/** Hydrates the page. No server functions are used, so their client is not bundled. */
import { RouterClient } from '@tanstack/react-router/ssr/client';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { getRouter } from './router.tsx';
import { stayOnFirstPage } from './site/navigation/scroll-positions.ts';
import { listenBeforeRouter } from './ui/lib/in-page-history.ts';
import { layOutWhenIdle } from './ui/lib/stable-scroll.ts';
import { whenIdle } from './ui/lib/when-idle.ts';

declare global {
  /** Global Zod settings. Importing config() would add 3 kB to the initial bundle. */
  var __zod_globalConfig: { jitless?: boolean } | undefined;
}

// Zod would test `new Function`, which the Content-Security-Policy blocks and reports.
globalThis.__zod_globalConfig = { jitless: true };

listenBeforeRouter();

// A separate task, so that the browser can handle input between module evaluation and hydration.
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
