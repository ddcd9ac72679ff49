/**
 * Generates docs/configuration.md: every setting with its meaning, accepted values and default, from
 * packages/backend/src/config.ts.
 */

import { CHAPTERS, OPTION_DESCRIPTIONS, OPTIONS, VARIABLES } from '@signalfjord/backend/commands';
import { z } from 'zod';
import { keysOf } from '../app/ui/lib/keys-of.ts';

/** Variable names in the order in which the page lists them. */
export const DOCUMENTED_VARIABLES: readonly string[] = CHAPTERS.flatMap(([, descriptions]) =>
  Object.keys(descriptions),
);

const HEAD = ['Meaning', 'Accepted', 'Default'];

export function configurationPage(): string {
  const chapters = CHAPTERS.map(([heading, descriptions]) => {
    const rows = keysOf(descriptions).map((name) => formatRow(name, descriptions[name] ?? '', VARIABLES[name]));
    return `## ${heading}\n\n${table('Variable', rows)}`;
  });
  const options = keysOf(OPTION_DESCRIPTIONS).map((name) => formatRow(name, OPTION_DESCRIPTIONS[name], OPTIONS[name]));
  return `# Configuration

All environment variables are optional. An empty value counts as not set. If a value is invalid, the server does not start
and prints the variable and its accepted values. \`npm run types\` generates this page from \`packages/backend/src/config.ts\` and
\`packages/backend/src/config-descriptions.ts\`.

${chapters.join('\n')}
## Options

These are not environment variables. A developer sets them in \`server/options.ts\`, with the same value formats.
\`npm run doctor\` lists environment variables that are no longer supported but still set.

${table('Option', options)}`;
}

function table(heading: string, rows: readonly string[]): string {
  return `| ${[heading, ...HEAD].join(' | ')} |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function formatRow(name: string, meaning: string, [schema, acceptedValues]: readonly [z.ZodType, string]): string {
  const cells = [`\`${name}\``, meaning, acceptedValues, formatDefault(schema)];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Formats a default as it is written in the environment. */
function formatDefault(schema: z.ZodType): string {
  const { default: text } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const value: unknown = text ?? schema.safeParse(undefined).data;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  return `\`${typeof value === 'boolean' ? (value ? 'on' : 'off') : value}\``;
}
