/**
 * Counts the steps of an embed path that multiply rows. A step to a parent row, or to the child rows of a row, never
 * makes the result larger than the tables. A path through a shared parent and back to the rows of the first table
 * repeats these rows for each sibling. For example, a thousand comments of one post become a million rows if each
 * comment embeds its post with all comments.
 */
import type { Relationship } from '../schema/schema-cache.ts';
import type { EmbedPlan } from './plan-types.ts';

/** A step between tables: to a parent row that others may share, or to child rows. */
interface Step {
  from: string;
  to: string;
  kind: 'to a shared row' | 'to many';
}

/** Counts the steps that return to many rows of an earlier table through a shared row. */
export function countFanOuts(path: readonly EmbedPlan[]): number {
  const steps = path.flatMap(({ relationship }) => listSteps(relationship));
  return steps.filter((step, index) => isFanOut(step, steps.slice(0, index))).length;
}

function isFanOut({ to, kind }: Step, previous: readonly Step[]): boolean {
  const start = previous.findIndex(({ from }) => from === to);
  return kind === 'to many' && start !== -1 && previous.slice(start).some((step) => step.kind === 'to a shared row');
}

function listSteps({ table, foreignTable, cardinality, junction, computedBy }: Relationship): Step[] {
  const step = (from: string, to: string, kind: Step['kind']): Step => ({ from, to, kind });
  switch (cardinality) {
    case 'one-to-one':
      return computedBy === null ? [] : [step(table, foreignTable, 'to a shared row')];
    case 'many-to-one':
      return [step(table, foreignTable, 'to a shared row')];
    case 'one-to-many':
      // A function may return the same rows for every row.
      return computedBy === null
        ? [step(table, foreignTable, 'to many')]
        : [step(table, computedBy, 'to a shared row'), step(computedBy, foreignTable, 'to many')];
    case 'many-to-many': {
      const junctionName = junction?.table.name ?? '';
      return [step(table, junctionName, 'to many'), step(junctionName, foreignTable, 'to a shared row')];
    }
  }
}
