import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import type { Client } from '../clients.ts';
import { MeetingDialog } from '../meetings/meeting-dialog.tsx';
import { OUTCOMES } from '../meetings/meetings.ts';
import type { OpenTab } from '../open-tab.ts';
import { type Lead, leadName } from './lead-schema.ts';

interface LeadMeetingsProps {
  client: Pick<Client, 'id' | 'name' | 'campaigns'>;
  lead: Lead;
  /** True for team members, who can add meetings. */
  isTeam: boolean;
  openTab: OpenTab;
}

/** Lists the meetings with a lead. Each meeting opens in the Meetings tab. */
export function LeadMeetings({ client, lead, isTeam, openTab }: LeadMeetingsProps) {
  const [isAdding, setAdding] = useState(false);
  if (!isTeam && lead.meetings.length === 0) return null;
  return (
    <section className="grid justify-items-start gap-3">
      <h3 className="font-semibold">Meetings</h3>
      {lead.meetings.length > 0 && (
        <ul className="grid gap-2">
          {lead.meetings.map(({ id, starts_at, outcome }) => (
            <li key={id}>
              <Button variant="link" onClick={() => openTab.open('meetings', `meeting-${id}`)}>
                {starts_at === null ? 'Time to be added' : formatTime(starts_at)}
              </Button>
              <span className="text-muted">{`, ${OUTCOMES[outcome].toLowerCase()}`}</span>
            </li>
          ))}
        </ul>
      )}
      {isTeam && (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Add a meeting with ${leadName(lead)}`}
          onClick={() => setAdding(true)}
        >
          <Plus aria-hidden="true" />
          Add meeting
        </Button>
      )}
      {isAdding && <MeetingDialog client={client} lead={lead} onClose={() => setAdding(false)} />}
    </section>
  );
}
