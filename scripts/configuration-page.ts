/**
 * Generates docs/configuration.md: every setting with its meaning, accepted values and default, from
 * packages/backend/src/config.ts.
 */

import { CHAPTERS, OPTION_DESCRIPTIONS, OPTIONS, VARIABLES } from '@signalfjord/backend/commands';
import { z } from 'zod';
import { keysOf } from '../app/ui/lib/keys-of.ts';

/** Names in the order of the page. */
export const DESCRIBED_NAMES: readonly string[] = CHAPTERS.flatMap(([, meanings]) => Object.keys(meanings));

const HEAD = ['Meaning', 'Accepted', 'Default'];

export function configurationPage(): string {
  const chapters = CHAPTERS.map(([heading, meanings]) => {
    const rows = keysOf(meanings).map((name) => rowOf(name, meanings[name] ?? '', VARIABLES[name]));
    return `## ${heading}\n\n${table('Variable', rows)}`;
  });
  const options = keysOf(OPTION_DESCRIPTIONS).map((name) => rowOf(name, OPTION_DESCRIPTIONS[name], OPTIONS[name]));
  return `# Configuration

All environment variables are optional. An empty value counts as not set. An invalid value prevents the start with a message that
names the variable and the accepted values. \`npm run types\` generates this page from \`packages/backend/src/config.ts\` and
\`packages/backend/src/config-descriptions.ts\`.

${chapters.join('\n')}
## Options

These are no environment variables. A developer sets them in \`server/options.ts\`, in the same form. \`npm run doctor\` names
former settings that are still set in the environment.

${table('Option', options)}`;
}

function table(heading: string, rows: readonly string[]): string {
  return `| ${[heading, ...HEAD].join(' | ')} |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function rowOf(name: string, meaning: string, [schema, acceptedValues]: readonly [z.ZodType, string]): string {
  const cells = [`\`${name}\``, meaning, acceptedValues, defaultOf(schema)];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Formats a default as an owner would type it. */
function defaultOf(schema: z.ZodType): string {
  const { default: text } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const value: unknown = text ?? schema.safeParse(undefined).data;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  return `\`${typeof value === 'boolean' ? (value ? 'on' : 'off') : value}\``;
}
