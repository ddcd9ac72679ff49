/**
 * Counts ways back that square. Rows lead to one row each (their parent) or have many of their own (their children),
 * and either way there are never more than the tables have. Rows that lead to a shared one and from there back to many
 * of their own kind are answered once for each of their siblings: a thousand comments on a post, each with the post's
 * thousand comments, are a million.
 */
import type { Relationship } from '../schema/schema-cache.ts';
import type { EmbedPlan } from './plan-types.ts';

/** A step from the rows of one table to those of the next: to one that others may share, or to many of its own. */
interface Step {
  from: string;
  to: string;
  leads: 'to a shared row' | 'to many';
}

/** Counts the steps of the path that lead to many rows of a table that the path left through a shared row. */
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
      // A function may answer every row with the same ones.
      return computedBy === null
        ? [step(table, foreignTable, 'to many')]
        : [step(table, computedBy, 'to a shared row'), step(computedBy, foreignTable, 'to many')];
    case 'many-to-many': {
      const between = junction?.table.name ?? '';
      return [step(table, between, 'to many'), step(between, foreignTable, 'to a shared row')];
    }
  }
}
