import { readFile } from 'node:fs/promises';

/**
 * Returns the resident memory of a process in MB: the current value, or the peak with VmHWM. Undefined without /proc or
 * after the process has ended.
 */
export async function megabytesOf(
  { pid }: { pid?: number | undefined },
  line: 'VmRSS' | 'VmHWM' = 'VmRSS',
): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
}
