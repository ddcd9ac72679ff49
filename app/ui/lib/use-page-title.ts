import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';

const root = getRouteApi('__root__');

/** Titles the page by what it shows, where that is not known before it is rendered: `Sign up · Signalfjord`. */
export function usePageTitle(title: string): void {
  const { siteName } = root.useLoaderData();
  useEffect(() => {
    document.title = `${title} · ${siteName}`;
  }, [title, siteName]);
}
