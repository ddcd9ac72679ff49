/**
 * Reports each public page view when the visitor leaves the page. A report contains the path, referrer host, device
 * type and reading time. Also reports that the chat was opened. Sends no identifiers. Admins and browsers with Do Not
 * Track are not counted.
 */
import type { AnyRouter } from '@tanstack/react-router';
import { readDashboardHint } from '../accounts/session-hint.ts';
import { PUBLIC_PAGES } from '../api/places/public-pages.ts';

/** Counts the current page and all later pages. */
export function countVisits(router: AnyRouter): void {
  if (navigator.doNotTrack === '1' || ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl)) return;

  /** `shownAt` is 0 until the page is visible, because it may be opened in a background tab. */
  let view: { page: string; from: string | undefined; shownAt: number } | null = null;
  let hasReportedChat = false;

  const startView = (from?: string) => {
    const page: string = router.state.location.pathname;
    const isPublic = page.startsWith('/news/') || PUBLIC_PAGES.some(({ to }) => to === page);
    view = isPublic && !isAdmin() ? { page, from, shownAt: document.hidden ? 0 : performance.now() } : null;
  };
  const reportView = () => {
    if (!view?.shownAt) return;
    const { page, from, shownAt } = view;
    send({ page, from, device: getDeviceType(), seconds: Math.round((performance.now() - shownAt) / 1000) });
    view = null;
  };
  const onVisibility = () => {
    if (document.hidden) reportView();
    else if (view) view.shownAt ||= performance.now();
  };
  const onChat = () => {
    if (!hasReportedChat && !isAdmin()) send({ chat: true });
    hasReportedChat = true;
  };

  document.addEventListener('visibilitychange', onVisibility);
  addEventListener('pagehide', reportView);
  addEventListener('pageshow', ({ persisted }) => persisted && startView());
  addEventListener('signalfjord:chat-opened', onChat);
  router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
    if (!pathChanged) return;
    reportView();
    startView(fromLocation ? undefined : getReferrerHost());
  });
  // Behind the gate, the first page is rendered later and then fires `onRendered`.
  if (router.state.status === 'idle') startView(getReferrerHost());
}

function send(report: Record<string, unknown>): void {
  navigator.sendBeacon('/visits', JSON.stringify(report));
}

function isAdmin(): boolean {
  return readDashboardHint()?.startsWith('/admin') ?? false;
}

/** Returns the referrer host. Empty for direct visits, undefined for this site. */
function getReferrerHost(): string | undefined {
  if (!document.referrer) return '';
  const { hostname } = new URL(document.referrer);
  return hostname === location.hostname ? undefined : hostname;
}

function getDeviceType(): string {
  if (!matchMedia('(pointer: coarse)').matches) return 'desktop';
  return Math.min(screen.width, screen.height) < 600 ? 'phone' : 'tablet';
}
