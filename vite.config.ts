import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { tanstackStart } from '@tanstack/react-start/plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chatFrame } from './scripts/chat-frame.ts';
import { CHUNKS, SIGNED_IN_SCREENS, separateVisitorCode } from './scripts/chunks.ts';
import { compressAssets } from './scripts/compress-assets.ts';
import { embedScript } from './scripts/embed-script.ts';
import { keepAssets } from './scripts/keep-assets.ts';

/** Screens behind the sign-in, and pages linked only from emails. The server preloads their chunks. */
const NO_NEIGHBOUR = /^assets\/((signed-)?in-|(reset-password|newsletter|confirm|booking|approve|previews)\.route-)/;

export default defineConfig({
  environments: {
    client: {
      build: {
        // Each page lists the chunks of every other page for navigation. Their imports are omitted for pages without
        // in-app links, which costs one round trip.
        modulePreload: {
          resolveDependencies: (file, dependencies) =>
            NO_NEIGHBOUR.test(file) ? [] : dependencies.filter((name) => !name.startsWith('assets/rolldown-runtime-')),
        },
        rolldownOptions: {
          output: {
            chunkFileNames: ({ facadeModuleId }) =>
              facadeModuleId && SIGNED_IN_SCREENS.test(facadeModuleId)
                ? 'assets/in-[hash].js'
                : 'assets/[name]-[hash].js',
            codeSplitting: { groups: CHUNKS },
          },
        },
      },
    },
  },
  resolve: {
    alias: [
      { find: 'react-style-singleton', replacement: join(import.meta.dirname, 'app/ui/style-singleton.ts') },
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: join(import.meta.dirname, 'app/ui/create-icon.ts') },
      // React includes it since version 18.
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
    ],
  },
  plugins: [
    tailwindcss(),
    tanstackStart({
      srcDirectory: 'app',
      router: {
        routesDirectory: '.',
        virtualRouteConfig: './app/routes.ts',
        generatedRouteTree: 'routeTree.gen.ts',
        quoteStyle: 'single',
        semicolons: true,
      },
      // Vite runs in middleware mode inside server/dev.ts.
      vite: { installDevServerMiddleware: true },
    }),
    react(),
    embedScript(),
    chatFrame(),
    separateVisitorCode(),
    keepAssets(),
    compressAssets(),
  ],
});
