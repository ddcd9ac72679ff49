import { lazy, Suspense, useEffect, useState } from 'react';
import { whenToastIsWanted } from './toast.ts';

const ToasterView = lazy(() => import('./toaster-view.tsx'));

/** Once on the page, near its end. Its code loads with the first toast. */
export function Toaster({ theme }: { theme: 'light' | 'dark' | 'system' }) {
  const [wanted, setWanted] = useState(false);
  useEffect(() => whenToastIsWanted(() => setWanted(true)), []);
  return (
    wanted && (
      <Suspense>
        <ToasterView theme={theme} />
      </Suspense>
    )
  );
}
