import { useState } from 'react';
import { type Campaign, type Client, phaseWord } from '../../data/clients/clients.ts';
import { todayOf } from '../../data/figures/progress.ts';
import { addDays, dayInWords } from '../../lib/zoned-times.ts';

/** Campaigns that are named of each; all of them stand below. */
const SHOWN = 2;
/** Days for which a change is news. */
const NEWS_DAYS = 14;

/** Names what changed in campaigns lately, and what comes next in them. */
export function CampaignNews({ client }: { client: Client }) {
  const [today] = useState(() => todayOf(client, new Date().toISOString()));
  const changed = client.campaigns
    .map((campaign) => ({ campaign, day: todayOf(client, campaign.updated_at) }))
    .filter(({ day }) => day > addDays(today, -NEWS_DAYS))
    .toSorted((one, other) => other.day.localeCompare(one.day));
  const next = client.campaigns.filter(({ phase, next_step }) => phase !== 'done' && next_step !== '');
  return (
    <>
      <Part title="What we changed" none="Nothing in the last two weeks." more={changed.length - SHOWN}>
        {changed.slice(0, SHOWN).map(({ campaign, day }) => (
          <Line key={campaign.id} words={`${campaign.name}: ${phaseWord(campaign.phase)}`} day={day} />
        ))}
      </Part>
      <Part title="What comes next" none="Nothing is planned yet." more={next.length - SHOWN}>
        {next.slice(0, SHOWN).map((campaign: Campaign) => (
          <Line key={campaign.id} words={campaign.next_step} day={campaign.due_on} />
        ))}
      </Part>
    </>
  );
}

interface PartProps {
  title: string;
  /** Sentence without any. */
  none: string;
  /** Number of lines that are not shown. */
  more: number;
  children: React.ReactNode[];
}

function Part({ title, none, more, children }: PartProps) {
  return (
    <div className="grid grid-cols-1 py-2">
      <h3 className="text-[0.9375rem] font-semibold">{title}</h3>
      {children.length === 0 ? (
        <p className="text-[0.9375rem] text-muted">{none}</p>
      ) : (
        <ul className="grid grid-cols-1">{children}</ul>
      )}
      {more > 0 && <p className="text-sm text-muted">{`And ${more} more under Campaigns`}</p>}
    </div>
  );
}

function Line({ words, day }: { words: string; day: string | null }) {
  return (
    <li className="flex items-baseline justify-between gap-3 text-[0.9375rem]">
      <span className="truncate">{words}</span>
      {day && (
        <time dateTime={day} className="shrink-0 text-sm text-muted">
          {dayInWords(day, { day: 'numeric', month: 'short' })}
        </time>
      )}
    </li>
  );
}
