import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from '../ui/tabs.tsx';
import type { OpenTab } from './open-tab.ts';

interface ClientTab {
  value: string;
  label: string;
  /** Number of pending items. */
  count?: number | undefined;
  content: ReactNode;
}

interface ClientTabsProps {
  label: string;
  openTab: OpenTab;
  tabs: readonly ClientTab[];
}

/** Tabs of a client. Only the open tab is rendered, so that hidden tabs send no requests. */
export function ClientTabs({ label, openTab, tabs }: ClientTabsProps) {
  const openItem = tabs.find(({ value }) => value === openTab.tab) ?? tabs[0];
  const openValue = openItem?.value;
  return (
    // Arrow keys only move the focus. Otherwise each focused tab would load data and add a history entry.
    <Tabs value={openValue} activationMode="manual" onValueChange={(tab) => openTab.open(tab)} className="grid-cols-1">
      <TabList aria-label={label}>
        {tabs.map(({ value, label: name, count = 0 }) => (
          <Tab key={value} value={value} className="not-first:px-3 first:pr-3 first:pl-0 first:after:left-0">
            {name}
            {count > 0 && (
              <span className="ml-2 rounded-full bg-accent-soft px-2 py-0.5 font-mono text-xs text-accent">
                <span>{count.toLocaleString('en-GB')}</span>
                <span className="sr-only"> pending</span>
              </span>
            )}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ value, content }) => (
        <TabPanel key={value} value={value} className="grid grid-cols-1 gap-6">
          {value === openValue && content}
        </TabPanel>
      ))}
    </Tabs>
  );
}
