import type { Callout } from '../../../ui/lib/markdown.ts';

/** Kinds in the order of the menu. */
export const CALLOUTS: readonly Callout[] = ['note', 'tip', 'important', 'warning', 'caution'];
