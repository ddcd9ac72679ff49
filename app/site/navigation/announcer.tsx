import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Says the title of every new page to screen readers, which notice only what loads as a document. */
export function Announcer() {
  const router = useRouter();
  const [title, setTitle] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        // In the next frame, because pages may title themselves when they are there.
        if (pathChanged && fromLocation) requestAnimationFrame(() => setTitle(document.title));
      }),
    [router],
  );
  return (
    <p aria-live="polite" data-announcer className="sr-only">
      {title}
    </p>
  );
}
