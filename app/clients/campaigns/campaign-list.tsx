import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { formatDate } from '../../ui/lib/format-date.ts';
import { type Campaign, channelLabel, isPhase, type Phase, phaseLabel } from '../clients.ts';
import { CampaignActions } from './campaign-actions.tsx';

interface CampaignListProps {
  campaigns: readonly Campaign[];
  /** Set for team members. */
  canChange?: boolean;
  headingLevel?: 3 | 4;
}

/** Campaigns with their phase and next step. */
export function CampaignList({ campaigns, canChange = false, headingLevel = 3 }: CampaignListProps) {
  if (campaigns.length === 0) return <p className="text-muted">No campaigns yet.</p>;
  return (
    <ul className="grid grid-cols-1 gap-3">
      {campaigns.map((campaign) => (
        <li key={campaign.id}>
          <CampaignCard campaign={campaign} canChange={canChange} headingLevel={headingLevel} />
        </li>
      ))}
    </ul>
  );
}

const TONES: Record<Phase, 'accent' | 'neutral' | 'warning'> = {
  planned: 'neutral',
  building: 'neutral',
  running: 'accent',
  paused: 'warning',
  done: 'neutral',
};

interface CampaignCardProps {
  campaign: Campaign;
  canChange: boolean;
  headingLevel: 3 | 4;
}

function CampaignCard({ campaign, canChange, headingLevel }: CampaignCardProps) {
  const Heading = headingLevel === 3 ? 'h3' : 'h4';
  const { name, channel, phase, next_step, due_on } = campaign;
  return (
    <Card className="grid grid-cols-1 gap-3 p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-1">
          <Heading className="font-medium [overflow-wrap:anywhere]">{name}</Heading>
          <p className="text-sm text-muted">{channelLabel(channel)}</p>
        </div>
        <Badge tone={isPhase(phase) ? TONES[phase] : 'neutral'}>{phaseLabel(phase)}</Badge>
      </div>
      {(next_step !== '' || due_on !== null) && (
        <dl className="flex flex-wrap gap-x-8 gap-y-3 text-[0.9375rem]">
          {next_step !== '' && (
            <div className="min-w-0">
              <dt className="font-mono text-label text-muted">Next step</dt>
              <dd className="measure [overflow-wrap:anywhere]">{next_step}</dd>
            </div>
          )}
          {due_on !== null && (
            <div>
              <dt className="font-mono text-label text-muted">Due</dt>
              <dd>
                <time dateTime={due_on}>{formatDate(due_on)}</time>
              </dd>
            </div>
          )}
        </dl>
      )}
      {canChange && <CampaignActions campaign={campaign} />}
    </Card>
  );
}
