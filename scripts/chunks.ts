import type { Plugin, Rolldown } from 'vite';

/** Code that no visitor loads: screens behind the sign-in, with their forms. */
export const BEHIND_SIGN_IN =
  /\/app\/((admin|portal|editing|media|clients)\/(?!approvals\/site\/)|[\w/-]+\/(admin|portal)\/|ui\/(form|list)\/|content\/[\w-]+\/(fields|quoted-figure)\.)/;

/** A few lines each, of which the home page and others need several: as files their headers would be longer than they. */
const SMALL = new RegExp(
  [
    String.raw`/app/(ui/(lib/(escape-markup|seeded-random|use-on-screen|use-media-query)|drawing|picture))\.tsx?$`,
    String.raw`/lucide-react/.*/(arrow-down|pause|play)\.\w+$`,
    String.raw`/useSuspenseQuery\.js$`,
  ].join('|'),
);

/** The same on pages with a header, on the News page, and around the contact form. */
const HEADED =
  /\/(app\/(site\/(list-state|closing-band|page-header)|ui\/(empty-state|cover|field|input|form|privacy-note))\.tsx?|lucide-react\/.*\/arrow-(left|right)\.\w+)$/;
const NEWS = /\/(app\/site\/news\/[\w-]+(?<!route)\.tsx?|lucide-react\/.*\/search\.\w+)$/;
const CONTACT = /\/app\/(site\/contact\/(contact-form|contact-section|lazy-questions)|ui\/(honeypot|textarea))\.tsx$/;

/** Code of buttons that ask the server, and of the page of a booked call. */
const ACTIONS =
  /\/(app\/(api\/gate\/grant|ui\/(use-mutation-with-toasts|show-error))\.ts|build\/modern\/(useMutation|mutationOptions)\.js)$/;
const CALLS =
  /\/(app\/(bookings\/visitor-bookings\.ts|ui\/lib\/zoned-times\.ts|ui\/card\.tsx)|lucide-react\/.*\/calendar-plus\.\w+)$/;
const SERVICES =
  /\/(app\/(site\/services\/service-list|ui\/content-icon)\.tsx|lucide-react\/.*\/(messages-square|send|check)\.\w+)$/;

/** The library that checks texts, which the contact form has without that of larger forms, and what its schemas share. */
const ZOD = /\/(node_modules\/zod\/|app\/ui\/lib\/(email-pattern|one-line)\.ts$)/;
const FORMS = /\/node_modules\/(react-hook-form|@hookform\/resolvers)\//;

/** Dialogs, of which the page of a booked call has one. */
const DIALOGS = /\/app\/ui\/(dialog|confirm-dialog)\.tsx$/;

/** Small parts of what a visitor opens late, such as the calendar, and of every screen behind the sign-in. */
const PIECES = new RegExp(
  [
    String.raw`/app/ui/(load-error|badge|select|pagination|search-box|callout)\.tsx$`,
    String.raw`/app/(ui/lib/(format-bytes|format-time|refusal)|api/(as-signed-in|device-clock|refused-writes)|clients/approvals/list-row)\.ts$`,
    String.raw`/lucide-react/.*/(chevron-(down|left|right)|info|lightbulb|octagon-exclamation-point|(circle|triangle)-exclamation-point)\.\w+$`,
  ].join('|'),
);

const SECOND_FACTOR = /\/app\/.*\/(code-form|second-factor-form|factors|session-end)\.tsx?$/;

/** Code that a page of visitors or a printed report loads, although many screens behind the sign-in do as well. */
const BESIDES = new RegExp(
  [
    '/app/((site|chat|bookings)/(?!admin/)|accounts/sign-in/|leads/newsletter/|clients/approvals/site/)',
    String.raw`/app/ui/(card|refusal-note|avatar|step-buttons|password-field|markdown|video|text-difference)\.tsx$`,
    String.raw`/(first-email|webauthn-support|text-difference|leave-lead|safe-href|video-address|markdown|text-pictures|fill-legal-text|supabase|captcha|authentication|credentials|unsaved-work)\.ts$`,
    String.raw`/app/(accounts/use-follow-session|clients/clients|clients/figures/progress)\.ts$`,
    String.raw`/lucide-react/.*/(square|calendar-(days|plus)|mail|key-round|arrow-up|rotate-ccw)\.\w+$`,
    '/node_modules/(marked|decode-named-character-reference|diff|idb-keyval|@supabase)/',
  ].join('|'),
);

/** Number of screens and pieces from which on what they share is in the one file of all that is behind the sign-in. */
const OFTEN = 8;

/**
 * Files of the site's JavaScript, besides one for each screen and for each piece that comes later. Otherwise there is one
 * for each set of screens that share something: a screen of the admin area asked for 75 to 117.
 */
export const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  // One file for every page: thirty small ones cost more in headers than they save.
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
  { name: 'zod', test: ZOD },
  { name: 'forms', test: FORMS, includeDependenciesRecursively: false },
  { name: 'dialogs', test: DIALOGS },
  // Their own imports go where they belong; to the file of the forms, say.
  { name: 'pieces', test: PIECES, includeDependenciesRecursively: false },
  { name: 'second-factor', test: SECOND_FACTOR, includeDependenciesRecursively: false },
  {
    name: 'signed-in',
    test: (id) => !BESIDES.test(id),
    minShareCount: OFTEN,
    includeDependenciesRecursively: false,
  },
];

/** Adds a check to the build: no static import of what visitors open leads to the file of what is behind the sign-in. */
export function visitorsApart(): Plugin {
  return {
    name: 'visitors-apart',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle(_options, bundle) {
      for (const [file, chunk] of Object.entries(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.facadeModuleId || BEHIND_SIGN_IN.test(chunk.facadeModuleId)) continue;
        const way = wayToSignedIn(file, bundle);
        if (way)
          this.error(`${way.join(' imports ')}, which no visitor may load: add what it needs to scripts/chunks.ts.`);
      }
    },
  };
}

/** Finds the file of all that is behind the sign-in among what a file imports, and what that imports. */
function wayToSignedIn(file: string, bundle: Rolldown.OutputBundle, seen = new Set<string>()): string[] | undefined {
  if (file.startsWith('assets/signed-in-')) return [file];
  const chunk = bundle[file];
  if (seen.has(file) || chunk?.type !== 'chunk') return undefined;
  seen.add(file);
  for (const imported of chunk.imports) {
    const way = wayToSignedIn(imported, bundle, seen);
    if (way) return [file, ...way];
  }
  return undefined;
}
