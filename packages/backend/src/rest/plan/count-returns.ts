/**
 * Counts returns that multiply rows. A step to a parent row, or to the child rows of a row, never makes the result
 * larger than the tables. A step to a shared parent and back to many rows of the first table repeats them for each
 * sibling. For example, a thousand comments on a post, each with the thousand comments of the post, are a million rows.
 */
import type { Relationship } from '../schema/schema-cache.ts';
import type { EmbedPlan } from './plan-types.ts';

/** A step between tables: to a parent row that others may share, or to child rows. */
interface Step {
  from: string;
  to: string;
  leads: 'to a shared row' | 'to many';
}

/** Counts the steps of the path that return to many rows of a table that it left through a shared row. */
export function countReturns(path: readonly EmbedPlan[]): number {
  const steps = path.flatMap(({ relationship }) => stepsOf(relationship));
  return steps.filter((step, index) => isReturn(step, steps.slice(0, index))).length;
}

function isReturn({ to, leads }: Step, before: readonly Step[]): boolean {
  const left = before.findIndex(({ from }) => from === to);
  return leads === 'to many' && left !== -1 && before.slice(left).some((step) => step.leads === 'to a shared row');
}

function stepsOf({ table, foreignTable, cardinality, junction, computedBy }: Relationship): Step[] {
  const step = (from: string, to: string, leads: Step['leads']): Step => ({ from, to, leads });
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
      const between = junction?.table.name ?? '';
      return [step(table, between, 'to many'), step(between, foreignTable, 'to a shared row')];
    }
  }
}
