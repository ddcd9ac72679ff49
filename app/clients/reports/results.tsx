import type { ReactNode } from 'react';
import { Section } from './blocks.tsx';
import { CampaignTable, type Counts } from './campaign-table.tsx';
import { type MetricGoal, type MetricResult, Tiles } from './tiles.tsx';
import { type ReportWeek, WeeksChart } from './weeks-chart.tsx';

interface ResultsProps {
  span: 'week' | 'month';
  result: readonly MetricResult[];
  goals: readonly MetricGoal[];
  /** Any day in the month of the goals. */
  day: string;
  weeks: readonly ReportWeek[];
  campaigns: readonly Counts[];
  /** Notes under the table of campaigns. */
  children?: ReactNode;
}

/** Renders the figures of a report in total, by week and by campaign, or a message if all are missing. */
export function Results({ span, result, goals, day, weeks, campaigns, children }: ResultsProps) {
  if (goals.length === 0 && result.every(({ value, before }) => value === null && before === null)) {
    return (
      <Section title="Result">
        <p className="text-muted">{`No figures for this ${span} or the ${span} before.`}</p>
        {children}
      </Section>
    );
  }
  return (
    <>
      <Section title="Result">
        <Tiles span={span} result={result} goals={goals} day={day} />
        <WeeksChart weeks={weeks} />
      </Section>
      <Section title="By campaign">
        <CampaignTable span={span} result={result} campaigns={campaigns} />
        {children}
      </Section>
    </>
  );
}
