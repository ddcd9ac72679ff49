import { useRouter } from '@tanstack/react-router';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { Toaster as Sonner } from 'sonner';
import { clearToasts, showToast } from './page-toasts.ts';
import { connectToaster } from './toast.ts';

/** Renders sonner with the site's durations, sizes and styles. Loaded after the first user input. */
export default function ToasterView({ theme }: { theme: 'light' | 'dark' | 'system' }) {
  const router = useRouter();
  useEffect(() => connectToaster({ show: showToast, clear: clearToasts }), []);
  // Clear toasts before the new page loads, so that its own toasts are not removed. Each editor tab counts as a page.
  useEffect(
    () =>
      router.subscribe('onBeforeLoad', ({ pathChanged, fromLocation, toLocation }) => {
        if (pathChanged || getTab(fromLocation) !== getTab(toLocation)) clearToasts();
      }),
    [router],
  );
  return (
    <Sonner
      theme={theme}
      duration={4000}
      visibleToasts={3}
      hotkey={['altKey', 'KeyT']}
      position="bottom-right"
      offset={{ bottom: 'var(--toasts-bottom)', right: '1.5rem' }}
      mobileOffset={{ bottom: 'var(--toasts-bottom)', left: '1rem', right: '1rem' }}
      icons={{ success: <CircleCheck className="size-5" />, error: <CircleAlert className="size-5" /> }}
      style={{ '--width': '356px', fontFamily: 'inherit' }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-(--width) max-w-[calc(100vw-2rem)] items-start gap-3 rounded-md border border-line bg-surface p-4 text-ink shadow-lg ' +
            '[&.destructive]:border-danger [&.destructive]:bg-danger [&.destructive]:text-on-danger',
          title: 'text-[0.9375rem] font-semibold leading-snug',
          description: 'mt-0.5 text-sm leading-snug text-inherit! [overflow-wrap:anywhere]',
          icon: 'mt-px shrink-0',
          actionButton:
            'ml-auto shrink-0 self-center rounded-sm border border-line-strong px-3 py-1.5 text-sm font-medium hover:bg-sunken',
        },
      }}
    />
  );
}

function getTab(location: { search: { tab?: string } } | undefined): string | undefined {
  return location?.search.tab;
}
