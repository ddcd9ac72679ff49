import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';

const root = getRouteApi('__root__');

/** Sets the document title if it is known only after rendering: `Sign up · Signalfjord`. */
export function usePageTitle(title: string): void {
  const { siteName } = root.useLoaderData();
  useEffect(() => {
    document.title = `${title} · ${siteName}`;
  }, [title, siteName]);
}
