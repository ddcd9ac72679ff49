import { fieldLabel } from '../ui/form/field-label.ts';
import type { MergePath } from '../ui/lib/three-way-merge.ts';

/** Formats a path: 'Card 5, timeline, phase 1' for ['card5', 'timeline', 'phase1']. */
export function pathLabel(path: MergePath): string {
  if (path.length === 0) return 'Value';
  return path
    .map((part, index) => {
      if (typeof part !== 'string') return part.name;
      const label = fieldLabel(toSnakeCase(part));
      return index === 0 ? label : label.charAt(0).toLowerCase() + label.slice(1);
    })
    .join(', ');
}

/** Converts camel case to snake case: 'client_name' for 'clientName', 'phase_1' for 'phase1'. */
function toSnakeCase(key: string): string {
  return key.replaceAll(/([a-z])([A-Z0-9])/g, '$1_$2').toLowerCase();
}

/** Returns a sentence about merged changes by other users. Undefined if nothing was merged. */
export function mergeNotice(mergedPaths: readonly MergePath[]): string | undefined {
  if (mergedPaths.length === 0) return undefined;
  const labels = [...new Set(mergedPaths.map((path) => pathLabel(path.slice(0, 2))))];
  const firstLabels = labels.slice(0, 4);
  const otherCount = labels.length - firstLabels.length;
  const all = otherCount > 0 ? [...firstLabels, `${otherCount} more`] : firstLabels;
  return `Someone else saved in the meantime. Their changes were kept: ${joinLabels(all)}.`;
}

function joinLabels(labels: readonly string[]): string {
  return labels.length < 2 ? labels.join() : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;
}

/** Formats a value as text. List entries get a line each, groups get labels, and missing values are empty. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(formatValue).join(value.some(isGroup) ? '\n\n' : '\n');
  if (!isGroup(value)) return String(value);
  return Object.entries(value)
    .map(([key, part]) => `${pathLabel([key])}: ${formatValue(part)}`)
    .join('\n');
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
