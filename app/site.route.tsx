/** Layout of public pages: navigation, main and footer. Pages render the content of main. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi, Outlet, useMatches } from '@tanstack/react-router';
import { useDashboardHint } from './accounts/session-hint.ts';
import { ChatLauncher } from './chat/chat-launcher.tsx';
import { footerQuery } from './content/pages/page-content.ts';
import { isChatOff, siteSettingsQuery } from './settings/site-settings.ts';
import { ThemeToggle } from './settings/theme/theme-toggle.tsx';
import { Footer } from './site/footer/footer.tsx';
import { Navigation, SiteMenu } from './site/navigation/navigation.tsx';
import { lazy } from './ui/lazy.tsx';

const EditPage = lazy(() => import('./admin/page-editing/edit-page.tsx'));
const PortalBar = lazy(() => import('./portal/portal-bar.tsx'));

export const Route = createFileRoute('/_gate/_site')({
  loader: async ({ context: { queryClient } }) => {
    const prefetches = [queryClient.prefetchQuery(footerQuery), queryClient.prefetchQuery(siteSettingsQuery)];
    // Only the server awaits these queries. The browser may show the page before the footer.
    if (typeof window === 'undefined') await Promise.all(prefetches);
  },
  component: SiteLayout,
  // Keep this code in the initial bundle, because the headers of a separate request would cost more than the file saves.
  codeSplitGroupings: [],
});

const root = getRouteApi('__root__');

function SiteLayout() {
  const { siteName } = root.useLoaderData();
  const { data: footer } = useQuery(footerQuery);
  const { data: settings } = useQuery(siteSettingsQuery);
  const route = useMatches({ select: (matches) => matches.at(-1)?.routeId ?? '' });
  // Pages that ask for one decision have no menu. Most of them are opened from emailed links. Pages of signed-in users
  // have their own bar.
  const asksForDecision = /approve|booking|lead\/|result\/|contact.c|newsletter|pending|consent/.test(route);
  const isPortal = /portal.(account|client|reports|team)/.test(route);
  // Pages for one task have a short footer, and no chat launcher, which would cover controls.
  const isTask = asksForDecision || route.includes('portal');
  const isAdmin = useDashboardHint()?.startsWith('/admin');
  return (
    <div className="relative flex min-h-svh flex-col">
      <Navigation siteName={siteName}>
        {isPortal ? <PortalBar /> : asksForDecision ? <ThemeToggle /> : <SiteMenu />}
      </Navigation>
      {/* While content is loading, main fills the screen to prevent a layout shift of the footer. */}
      <main id="content" tabIndex={-1} className="grow outline-none empty:min-h-svh has-[.animate-pulse]:min-h-svh">
        <Outlet />
      </main>
      {footer && (
        <Footer
          content={footer}
          isNewsletterOn={settings?.newsletter_signup === 'on'}
          siteName={siteName}
          tagline={settings?.site_tagline ?? ''}
          contactEmail={settings?.contact_email ?? ''}
          isShort={isTask}
        />
      )}
      {isAdmin && <EditPage />}
      {!isTask && !(settings && isChatOff(settings)) && <ChatLauncher siteName={siteName} />}
    </div>
  );
}
