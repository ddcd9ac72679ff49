const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Formats a size: '340 B', '12.5 kB', '3.2 MB'. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_950) return `${number.format(bytes / 1000)} kB`;
  return `${number.format(bytes / 1_000_000)} MB`;
}
