import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Announces the title of each new page. Screen readers do not notice client-side navigation. */
export function Announcer() {
  const router = useRouter();
  const [title, setTitle] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        // Wait a frame, because pages may set their title on mount.
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
