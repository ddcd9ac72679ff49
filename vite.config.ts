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
  /\/(app\/(site\/(list-state|closing-band|page-header)|ui\/(empty-state|cover|field|input))\.tsx?|lucide-react\/.*\/arrow-(left|right)\.\w+)$/;
const NEWS = /\/(app\/(site\/news\/[\w-]+(?<!route)|lib\/format-date)\.tsx?|lucide-react\/.*\/search\.\w+)$/;
const CONTACT =
  /\/app\/(site\/contact\/(contact-form|contact-section|questions-piece)|ui\/(form|honeypot|privacy-note|textarea))\.tsx$/;
const SERVICES =
  /\/(app\/(site\/services\/service-list|ui\/content-icon)\.tsx|lucide-react\/.*\/(messages-square|send|check)\.\w+)$/;

export default defineConfig({
  environments: {
    client: {
      build: {
        // Every page knows the chunks of every other one. It need not know what those import in turn where that is behind
        // the sign-in: such a page finds it out one round trip later.
        modulePreload: {
          resolveDependencies: (file, dependencies) => (file.startsWith('assets/in-') ? [] : dependencies),
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
              ],
            },
          },
        },
      },
    },
  },
  resolve: {
    alias: { 'react-style-singleton': join(import.meta.dirname, 'app/ui/style-singleton.ts') },
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
