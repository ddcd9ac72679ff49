import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx';
import { AvailabilityEditor } from './availability-editor.tsx';
import { BookingList } from './booking-list.tsx';
import { BookingWeek } from './booking-week.tsx';
import { Calendars } from './calendars.tsx';

interface BookingsPageProps {
  tab: string | undefined;
  week: string | undefined;
  search: string;
  page: number;
}

export function BookingsPage({ tab, week, search, page }: BookingsPageProps) {
  const navigate = useNavigate();
  const tabs: { value: string; label: string; panel: ReactNode }[] = [
    { value: 'week', label: 'Week', panel: <BookingWeek week={week} /> },
    { value: 'list', label: 'List', panel: <BookingList search={search} page={page} /> },
    { value: 'availability', label: 'Availability', panel: <AvailabilityEditor /> },
    { value: 'calendars', label: 'Calendars', panel: <Calendars /> },
  ];
  const activeTab = tabs.find(({ value }) => value === tab) ?? tabs[0];
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenHeader title="Bookings" description="Calls booked by visitors, and your availability." />
      <Tabs
        value={activeTab?.value}
        // If the user stays to keep unsaved changes, the focus returns to the tab they clicked. Automatic activation
        // would open that tab.
        activationMode="manual"
        onValueChange={(value) => void navigate({ to: '/admin/bookings', search: { tab: value }, replace: true })}
        className="grid-cols-1"
      >
        <TabList aria-label="Bookings">
          {tabs.map(({ value, label }) => (
            <Tab key={value} value={value} className="not-first:px-3 first:pr-3 first:pl-0 first:after:left-0">
              {label}
            </Tab>
          ))}
        </TabList>
        <TabPanel value={activeTab?.value ?? ''}>{activeTab?.panel}</TabPanel>
      </Tabs>
    </div>
  );
}
