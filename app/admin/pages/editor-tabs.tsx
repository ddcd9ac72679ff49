import { useNavigate, useSearch } from '@tanstack/react-router';
import { BackLink } from '../../ui/list/back-link.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx';
import type { SectionTab } from './section-tab.tsx';

/**
 * Renders the section editors of a page in tabs. The URL contains the open tab, so that other screens can link to a tab
 * and the leave guard can protect unsaved changes.
 */
export function EditorTabs({ title, tabs }: { title: string; tabs: readonly SectionTab[] }) {
  const { tab } = useSearch({ strict: false });
  const navigate = useNavigate();
  const openTab = tabs.find(({ value }) => value === tab) ?? tabs[0];
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/admin/pages">All pages</BackLink>
      <ScreenHeader title={title} />
      <Tabs
        value={openTab?.value}
        // If the user stays to keep unsaved changes, the focus returns to the tab they clicked. Automatic activation
        // would open that tab.
        activationMode="manual"
        onValueChange={(value) => void navigate({ to: '.', search: { tab: value }, replace: true, resetScroll: false })}
        className="grid-cols-1"
      >
        <TabList aria-label="Sections">
          {tabs.map(({ value, label }) => (
            <Tab key={value} value={value}>
              {label}
            </Tab>
          ))}
        </TabList>
        {tabs.map(({ value, editor }) => (
          <TabPanel key={value} value={value}>
            {editor}
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}
