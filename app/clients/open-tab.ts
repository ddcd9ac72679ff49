import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';

export const OVERVIEW = 'overview';

/** Tabs by kind of item. Emails and pending lists link to an item as `#approval-1`. */
export const ITEM_TABS = { approval: 'approvals', meeting: 'meetings', quote: 'figures', lead: 'leads' } as const;

export interface OpenTab {
  tab: string;
  /** @param item ID of the element to scroll to */
  open: (tab: string, item?: string) => void;
}

/** Returns the open tab of a client from the URL. */
export function useOpenTab(): OpenTab {
  const { tab } = useSearch({ strict: false });
  const kind = useLocation({ select: ({ hash }) => hash.split('-')[0] });
  const navigate = useNavigate();
  return {
    tab: tab ?? Object.entries(ITEM_TABS).find(([item]) => item === kind)?.[1] ?? OVERVIEW,
    open: (next, item = '') =>
      void navigate({
        to: '.',
        search: (previous) => ({ ...previous, tab: next === OVERVIEW ? undefined : next }),
        hash: item,
        resetScroll: false,
      }),
  };
}
