import { clsx } from 'clsx';
import { Badge } from '../../ui/badge.tsx';
import { formatDate } from '../../ui/lib/format-date.ts';
import { ROWS_CLASS } from '../../ui/list/rows-class.ts';
import { type Campaign, channelLabel, isPhase, type Phase, phaseLabel } from '../clients.ts';
import { CampaignActions } from './campaign-actions.tsx';

interface CampaignListProps {
  campaigns: readonly Campaign[];
  /** True for team members. */
  canChange?: boolean;
  headingLevel?: 3 | 4;
}

/** Lists campaigns with their phase and next step. */
export function CampaignList({ campaigns, canChange = false, headingLevel = 3 }: CampaignListProps) {
  if (campaigns.length === 0) return <p className="text-muted">No campaigns yet.</p>;
  return (
    <ul className={clsx('@container', ROWS_CLASS)}>
      {campaigns.map((campaign) => (
        <CampaignRow key={campaign.id} campaign={campaign} canChange={canChange} headingLevel={headingLevel} />
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

interface CampaignRowProps {
  campaign: Campaign;
  canChange: boolean;
  headingLevel: 3 | 4;
}

/** Row of at least 56 px. In narrow containers, the date is below the texts. */
function CampaignRow({ campaign, canChange, headingLevel }: CampaignRowProps) {
  const Heading = headingLevel === 3 ? 'h3' : 'h4';
  const { name, channel, phase, next_step, due_on } = campaign;
  return (
    <li
      className={clsx(
        'flex min-h-14 items-center gap-3 py-2.5 pl-4 @xl:py-1.5 @xl:pl-5',
        canChange ? 'pr-1.5' : 'pr-4 @xl:pr-5',
      )}
    >
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] gap-x-3 @xl:grid-cols-[minmax(0,1fr)_auto_auto] @xl:items-center">
        <div className="min-w-0 text-[0.9375rem] leading-5.5">
          <Heading className="font-medium [overflow-wrap:anywhere]">{name}</Heading>
          <p className="text-sm leading-5 text-muted [overflow-wrap:anywhere]">
            <span>{channelLabel(channel)}</span>
            {next_step !== '' && (
              <>
                {' · Next: '}
                <span className="text-ink">{next_step}</span>
              </>
            )}
          </p>
        </div>
        {due_on !== null && (
          <p className="text-sm leading-5 text-muted @max-xl:row-start-2">
            Due <time dateTime={due_on}>{formatDate(due_on)}</time>
          </p>
        )}
        <Badge
          tone={isPhase(phase) ? TONES[phase] : 'neutral'}
          className="col-start-2 row-start-1 self-start @xl:col-start-3 @xl:self-auto"
        >
          {phaseLabel(phase)}
        </Badge>
      </div>
      {canChange && <CampaignActions campaign={campaign} />}
    </li>
  );
}
