import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { tanstackStart } from '@tanstack/react-start/plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chatFrame } from './scripts/chat-frame.ts';
import { BEHIND_SIGN_IN, CHUNKS, visitorsApart } from './scripts/chunks.ts';
import { compressAssets } from './scripts/compress-assets.ts';
import { embedScript } from './scripts/embed-script.ts';
import { keepAssets } from './scripts/keep-assets.ts';

/** Screens, and what no link of a public page leads to: the links in mails do, and the server names what such a page needs. */
const NO_NEIGHBOUR = /^assets\/(in-|(reset-password|newsletter|confirm|booking|approve)\.route-)/;

export default defineConfig({
  environments: {
    client: {
      build: {
        // Every page knows the chunks of every other one. It need not know what those import in turn where nobody goes
        // from page to page: such a page finds it out one round trip later. The first file has brought the runtime.
        modulePreload: {
          resolveDependencies: (file, dependencies) =>
            NO_NEIGHBOUR.test(file) ? [] : dependencies.filter((name) => !name.startsWith('assets/rolldown-runtime-')),
        },
        rolldownOptions: {
          output: {
            chunkFileNames: ({ facadeModuleId }) =>
              facadeModuleId && BEHIND_SIGN_IN.test(facadeModuleId) ? 'assets/in-[hash].js' : 'assets/[name]-[hash].js',
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
      // React has it itself since version 18.
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
      // Vite runs inside server/dev.ts, as a part of its server.
      vite: { installDevServerMiddleware: true },
    }),
    react(),
    embedScript(),
    chatFrame(),
    visitorsApart(),
    keepAssets(),
    compressAssets(),
  ],
});
