import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { connectToaster } from './toast.ts';

/** How long a toast with a button stays, in milliseconds: long enough to reach it, by keyboard too. */
const ACTION_MS = 8000;

/** The toaster itself: sonner, with the site's durations, sizes and styles. Loaded after the first input. */
export default function ToasterView({ theme }: { theme: 'light' | 'dark' | 'system' }) {
  useEffect(
    () =>
      connectToaster(({ tone, title, description, action }) => {
        if (tone === 'success') toast.success(title, { description, ...(action && { action, duration: ACTION_MS }) });
        else toast.error(title, { description, className: 'destructive' });
      }),
    [],
  );
  return (
    <Sonner
      theme={theme}
      duration={4000}
      visibleToasts={3}
      hotkey={['altKey', 'KeyT']}
      position="bottom-right"
      icons={{ success: <CircleCheck className="size-5" />, error: <CircleAlert className="size-5" /> }}
      style={{ '--width': '356px', fontFamily: 'inherit' } as React.CSSProperties}
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
