/**
 * Metrics as Prometheus reads them: text format 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
 */

export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  /** One line each; `suffix` is what a histogram puts behind its name. */
  samples: { labels?: Record<string, string>; value: number; suffix?: '_bucket' | '_sum' | '_count' }[];
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
});

export const counter = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'counter',
  samples: [{ value }],
});

export function toText(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(
        ({ labels = {}, value, suffix = '' }) => `${name}${suffix}${labelText(labels)} ${numberText(value)}`,
      );
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
    })
    .join('');
}

function labelText(labels: Record<string, string>): string {
  const entries = Object.entries(labels).map(([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, escapeOf)}"`);
  return entries.length > 0 ? `{${entries.join(',')}}` : '';
}

const escapeOf = (character: string) => (character === '\n' ? String.raw`\n` : `\\${character}`);

function numberText(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}
