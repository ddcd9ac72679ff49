import { readFile } from 'node:fs/promises';

/**
 * Returns the resident memory of a process in MB. VmRSS is the current value, and VmHWM is the peak. Returns undefined
 * if the system has no /proc or the process has ended.
 */
export async function readMemoryMb(
  { pid }: { pid?: number | undefined },
  field: 'VmRSS' | 'VmHWM' = 'VmRSS',
): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
}
