import { clsx } from 'clsx';
import { Tabs as Radix } from 'radix-ui';
import { type ComponentProps, useState } from 'react';

/** Tabs: `<Tabs defaultValue="hero"><TabList><Tab value="hero">Hero</Tab></TabList><TabPanel value="hero">`. */
export function Tabs({ className, ...rest }: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root {...rest} className={clsx('grid gap-6', className)} />;
}

/** Scrolls horizontally if too wide. The active tab stays in view when the selection or the width changes. */
export function TabList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return (
    <Radix.List
      ref={followActiveTab}
      {...rest}
      className={clsx(
        'scroll-fade relative flex scroll-pr-12 gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]',
        className,
      )}
    />
  );
}

/** Scrolls the list horizontally. `scrollIntoView` would also scroll the page. */
function followActiveTab(list: HTMLElement | null) {
  if (!list) return;
  const show = () => {
    const activeTab = list.querySelector<HTMLElement>('[data-state="active"]');
    if (activeTab) list.scrollLeft = activeTab.offsetLeft - (list.clientWidth - activeTab.offsetWidth) / 2;
  };
  const changes = new MutationObserver(show);
  changes.observe(list, { subtree: true, attributeFilter: ['data-state'] });
  const sizes = new ResizeObserver(show);
  sizes.observe(list);
  return () => {
    changes.disconnect();
    sizes.disconnect();
  };
}

/**
 * Shows the focus ring for keyboard focus only. Radix focuses a clicked tab by script, which Chromium treats as
 * keyboard focus.
 */
export function Tab({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  const [isPressed, setPressed] = useState(false);
  return (
    <Radix.Trigger
      {...rest}
      data-pressed={isPressed || undefined}
      onPointerDown={() => setPressed(true)}
      onKeyDown={() => setPressed(false)}
      onBlur={() => setPressed(false)}
      className={clsx(
        'relative min-h-11 rounded-sm px-4 text-[0.9375rem] font-medium whitespace-nowrap text-muted',
        'transition-colors duration-150 hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:text-ink not-forced-colors:data-pressed:outline-none',
        'after:absolute after:inset-x-3 after:bottom-0 after:h-0.5 after:origin-left after:scale-x-0 after:bg-accent',
        'after:transition-transform after:duration-200 after:ease-out data-[state=active]:after:scale-x-100',
        className,
      )}
    />
  );
}

export function TabPanel({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content {...rest} className={clsx('rounded-sm', className)} />;
}
