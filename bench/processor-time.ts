import { readFile } from 'node:fs/promises';

/**
 * Sums the CPU time in milliseconds of processes or threads, given their files in /proc, such as `/proc/1/stat` or
 * `/proc/1/task/1/stat`. Processes and threads that have ended are skipped. Linux only. The resolution is 10 ms.
 */
export async function processorTime(files: readonly string[]): Promise<number> {
  const stats = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return stats.reduce((sum, stat) => {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return sum + 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0));
  }, 0);
}
