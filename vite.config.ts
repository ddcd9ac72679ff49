import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { tanstackStart } from '@tanstack/react-start/plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chatFrame } from './scripts/chat-frame.ts';
import { compressAssets } from './scripts/compress-assets.ts';
import { embedScript } from './scripts/embed-script.ts';
import { keepAssets } from './scripts/keep-assets.ts';

/** What no visitor loads: pages of the admin area and of accounts. */
const BEHIND_SIGN_IN = /\/app\/(admin|portal)\//;

/** Those, and what no link of a public page leads to: the links in mails do, and the server names what such a page needs. */
const NO_NEIGHBOUR =
  /^assets\/(in-|(report|reset-password|newsletter|confirm|booking|approve)\.route-|(kinds|editing)-)/;

/** A few lines each, of which the home page and others need several: as files their headers would be longer than they. */
const SMALL = new RegExp(
  [
    String.raw`/app/(lib/(escape-markup|seeded-random|use-on-screen|use-media-query)|ui/(drawing|picture)|site/home/below-fold)\.tsx?$`,
    String.raw`/lucide-react/.*/(arrow-down|pause|play)\.\w+$`,
    String.raw`/useSuspenseQuery\.js$`,
  ].join('|'),
);

/** The same on pages with a header, on the News page, and around the contact form. */
const HEADED =
  /\/(app\/(site\/(list-state|closing-band|page-header)|ui\/(empty-state|cover|field|input|form|privacy-note))\.tsx?|lucide-react\/.*\/arrow-(left|right)\.\w+)$/;
const NEWS = /\/(app\/site\/news\/[\w-]+(?<!route)\.tsx?|lucide-react\/.*\/search\.\w+)$/;
const CONTACT = /\/app\/(site\/contact\/(contact-form|contact-section|questions-piece)|ui\/(honeypot|textarea))\.tsx$/;

/** Code of buttons that ask the server, and of the page of a booked call. */
const ACTIONS =
  /\/(app\/ui\/(use-mutation-with-toasts|tell-failure)\.ts|build\/modern\/(useMutation|mutationOptions)\.js)$/;
const CALLS = /\/app\/(data\/bookings\/visitor-bookings|lib\/zoned-times)\.ts$/;
const SERVICES =
  /\/(app\/(site\/services\/service-list|ui\/content-icon)\.tsx|lucide-react\/.*\/(messages-square|send|check)\.\w+)$/;

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
            // What every page loads is one file: thirty small ones cost more in headers than they save.
            codeSplitting: {
              groups: [
                { name: 'site', tags: ['$initial'] },
                { name: 'small', test: SMALL },
                { name: 'headed', test: HEADED },
                { name: 'news', test: NEWS },
                // Else it lies in the file of the contact form, which the page of services would load for it.
                { name: 'selected', test: /\/app\/site\/selected-service\.ts$/ },
                { name: 'contact', test: CONTACT },
                { name: 'services', test: SERVICES },
                { name: 'actions', test: ACTIONS },
                { name: 'calls', test: CALLS },
              ],
            },
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
    keepAssets(),
    compressAssets(),
  ],
});
