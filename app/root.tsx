import { type QueryClient, useQuery } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  HeadContent,
  Outlet,
  Scripts,
  type StaticDataRouteOption,
  useLocation,
  useRouter,
} from '@tanstack/react-router';
import { createIsomorphicFn } from '@tanstack/react-start';
import { type ReactNode, useEffect, useState } from 'react';
import { enabledSignInMethodsMetaTags, readEnabledSignInMethods } from './accounts/enabled-sign-in-methods.ts';
import { apiMetaTags } from './api/api-endpoint.ts';
import { gateChallenge, gateMetaTags } from './api/gate/challenge.ts';
import { CLOSED_POLICY, DocumentPolicy, type PagePolicy, policyDirectives } from './api/host/page-policy.ts';
import { requireSiteHost } from './api/host/site-host.ts';
import stylesheet from './app.css?url';
import { FRAME_FILES } from './chat/framed-chat.ts';
import { readPagePolicy } from './content/pages/page-policy.ts';
import { ErrorPage } from './error-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { BrandLogoContext } from './settings/brand/brand-logo.ts';
import { readBrandStyle } from './settings/brand/brand-style.ts';
import { siteSettingsQuery } from './settings/site-settings.ts';
import { followTheme, THEME_SCRIPT, useThemeMode } from './settings/theme/theme.ts';
import type { Gate } from './site/gate/gate.tsx';
import { Announcer } from './site/navigation/announcer.tsx';
import { animatePageChanges, focusNewPages } from './site/navigation/page-changes.ts';
import { restoreScrollPositions } from './site/navigation/scroll-positions.ts';
import { listenForScrollToBooking } from './site/navigation/scroll-to-booking.ts';
import { EARLY_CLICKS_SCRIPT } from './site/startup/first-paint.ts';
import { STARTUP_SCRIPT, StartupOverlay } from './site/startup/startup-overlay.tsx';
import textFont from './ui/fonts/schibsted-grotesk-latin.woff2?url';
import { markHydrated } from './ui/lib/hydrated.ts';
import { whenIdle } from './ui/lib/when-idle.ts';
import { Toaster } from './ui/toaster.tsx';

interface RouterContext {
  queryClient: QueryClient;
  /** Rendered instead of the page if set. */
  Gate: typeof Gate | undefined;
}

export const Route = createRootRouteWithContext<RouterContext>()({
  loader: async ({ context: { queryClient } }) => {
    const [settings, policy, signInMethods] = await Promise.all([
      queryClient.ensureQueryData(siteSettingsQuery),
      readPagePolicy(),
      readEnabledSignInMethods(),
    ]);
    return {
      siteName: settings.site_name,
      logo: settings.brand_logo,
      ...(await readBrandStyle(settings)),
      policy,
      signInMethods,
      countsVisits: settings.count_visits === 'on' && canCountVisits(),
      ...previewBar(),
    };
  },
  // Never reload, because the name and policy belong to the document. Pages read later changes of settings through the
  // query.
  staleTime: Number.POSITIVE_INFINITY,
  // The server reads this header and adds the rest of the policy.
  headers: ({ matches, loaderData }) => ({
    'content-security-policy': policyDirectives(policyFor(matches, loaderData?.policy), loaderData?.accentStyle?.hash),
  }),
  head: ({ loaderData }) => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1' },
      { title: rootTitle(loaderData?.siteName) },
      ...apiMetaTags(),
      ...gateMetaTags(),
      ...enabledSignInMethodsMetaTags(loaderData?.signInMethods),
      ...(loaderData?.previewBar ? [{ name: 'robots', content: 'noindex' }] : []),
    ],
    links: [
      { rel: 'preload', href: textFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
      { rel: 'icon', href: `/favicon.svg${loaderData?.iconVersion ?? ''}`, type: 'image/svg+xml' },
      { rel: 'apple-touch-icon', href: `/apple-touch-icon.png${loaderData?.iconVersion ?? ''}` },
      { rel: 'manifest', href: '/site.webmanifest' },
      { rel: 'alternate', href: '/rss.xml', type: 'application/rss+xml', title: 'News' },
    ],
  }),
  shellComponent: Document,
  component: App,
  notFoundComponent: NotFound,
  errorComponent: ErrorPage,
});

const canCountVisits = createIsomorphicFn()
  .server(() => requireSiteHost().countsVisits)
  .client(() => true);

/** Preview bar. Rendered only on the server, so it adds no JavaScript. */
const previewBar = createIsomorphicFn()
  .server((): { previewBar?: string } => {
    const { preview } = requireSiteHost();
    return preview ? { previewBar: preview.bar } : {};
  })
  .client((): { previewBar?: string } => ({}));

/** Returns the policy of a document that starts on these routes. */
function policyFor(matches: readonly PolicyMatch[], policy = CLOSED_POLICY): PagePolicy {
  const isOpen = matches.some(({ staticData }) => staticData.allowsImagesFromAnyHost);
  return {
    ...policy,
    pictures: isOpen ? [...policy.pictures, 'https:'] : policy.pictures,
    frames: [...policy.frames, ...matches.flatMap(({ loaderData }) => loadedPlayers(loaderData))],
  };
}

interface PolicyMatch {
  staticData: StaticDataRouteOption;
  loaderData?: unknown;
}

/** Returns the video hosts of a route whose texts contain videos. */
function loadedPlayers(data: unknown): string[] {
  if (typeof data !== 'object' || data === null || !('players' in data) || !Array.isArray(data.players)) return [];
  return data.players.filter((player) => typeof player === 'string');
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Documents that start on this route may load pictures from any https host. */
    allowsImagesFromAnyHost?: true;
  }
}

/** Returns the title that is shown until a page sets its own. */
function rootTitle(siteName: string | undefined): string | undefined {
  return gateChallenge() ? `Private preview · ${siteName}` : siteName;
}

function Document({ children }: { children: ReactNode }) {
  const router = useRouter();
  // Tree-shaken from the browser build, which never renders this document.
  if (import.meta.env.SSR && hasSeparateEntry(router.state.location.pathname))
    return <FramedDocument>{children}</FramedDocument>;
  return (
    // Inline scripts set the theme before hydration.
    <html lang="en" suppressHydrationWarning>
      <head>
        <Stylesheet />
        <AccentStyle />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: constant text */}
        <script dangerouslySetInnerHTML={{ __html: firstScript() }} suppressHydrationWarning />
        <HeadContent />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  );
}

/** Script that runs before the first paint. React leaves the server's markup unchanged. */
const firstScript = createIsomorphicFn()
  .server(() => THEME_SCRIPT + STARTUP_SCRIPT + EARLY_CLICKS_SCRIPT)
  .client(() => '');

/** True if the document loads another entry script. This is the case for the framed chat, unless the gate is shown. */
const hasSeparateEntry = createIsomorphicFn().server(
  (pathname: string) => pathname === '/chat-embed' && !requireSiteHost().gate,
);

/** Document of the framed chat, without router files and font. */
function FramedDocument({ children }: { children: ReactNode }) {
  const match = useRouter().state.matches.at(-1);
  return (
    <html lang="en" data-framed>
      <head>
        {/* React hoists styles with a precedence, so this one must precede the accent. */}
        <link rel="stylesheet" href={FRAME_FILES.style} precedence="site" />
        <AccentStyle />
        {[
          ...apiMetaTags(),
          { name: 'viewport', content: 'width=device-width, initial-scale=1' },
          ...(match?.meta ?? []),
        ]
          .filter((meta) => meta !== undefined)
          .map((meta) =>
            'title' in meta ? <title key="title">{meta.title}</title> : <meta key={meta.name} {...meta} />,
          )}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: constant text */}
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      </head>
      <body>
        {children}
        <script type="module" async src={FRAME_FILES.script} />
      </body>
    </html>
  );
}

/**
 * Inlined stylesheet, so that the first paint needs a single response. React finds it by its href and does not recreate
 * it.
 */
function Stylesheet() {
  if (import.meta.env.DEV) return <link rel="stylesheet" href={stylesheet} />;
  return (
    <style href={stylesheet} precedence="site">
      {stylesheetText()}
    </style>
  );
}

/** Applies the owner's accent colour before the first paint. */
function AccentStyle() {
  const root = useRouter().state.matches.find((match) => match.routeId === '__root__');
  const style = root?.loaderData?.accentStyle;
  return (
    style && (
      <style href="accent" precedence="accent">
        {style.css}
      </style>
    )
  );
}

const stylesheetText = createIsomorphicFn()
  .server(() => requireSiteHost().stylesheet)
  .client(() => '');

function App() {
  const siteName = useSiteName();
  const { logo, previewBar: bar } = Route.useLoaderData();
  const { Gate } = Route.useRouteContext();
  const challenge = gateChallenge();
  const themeMode = useThemeMode();
  const isFramedChat = useLocation({ select: ({ pathname }) => pathname === '/chat-embed' });
  const policy = useDocumentPolicy();
  useSiteBehaviour();
  return (
    <DocumentPolicy value={policy}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by React on the server */}
      {bar && <div dangerouslySetInnerHTML={{ __html: bar }} />}
      <BrandLogoContext value={logo}>
        {!isFramedChat && <StartupOverlay siteName={siteName} />}
        {Gate && challenge ? (
          <Gate challenge={challenge} siteName={siteName}>
            <Outlet />
          </Gate>
        ) : (
          <Outlet />
        )}
        <Announcer />
        <Toaster theme={themeMode} />
      </BrandLogoContext>
    </DocumentPolicy>
  );
}

function NotFound() {
  return <NotFoundPage siteName={useSiteName()} />;
}

/** Returns the current site name, initially the server-rendered one. */
function useSiteName(): string {
  const { siteName } = Route.useLoaderData();
  const { data } = useQuery({ ...siteSettingsQuery, enabled: false });
  return data?.site_name ?? siteName;
}

/** Returns the policy of the document, which is fixed when the document is served. */
function useDocumentPolicy(): PagePolicy {
  const { matches } = useRouter().state;
  const { policy } = Route.useLoaderData();
  return useState(() => policyFor(matches, policy))[0];
}

/** Registers site-wide listeners. */
function useSiteBehaviour() {
  const router = useRouter();
  const { countsVisits } = Route.useLoaderData();
  useEffect(() => {
    // The gate is shown before client-rendered content.
    const isClientRendered = router.state.matches.some(({ ssr }) => ssr === false) && !gateChallenge();
    if (!isClientRendered) markHydrated();
  }, [router]);
  useEffect(() => {
    const cleanups = [
      followTheme(),
      animatePageChanges(router),
      focusNewPages(router),
      restoreScrollPositions(router),
      listenForScrollToBooking(router),
    ];
    return () => {
      for (const cleanup of cleanups) cleanup();
    };
  }, [router]);
  useEffect(() => {
    if (!countsVisits) return;
    // If the code cannot be loaded, the visit is not counted.
    return whenIdle(() => {
      import('./visits/count-visits.ts').then((module) => module.countVisits(router)).catch(() => undefined);
    });
  }, [router, countsVisits]);
}
