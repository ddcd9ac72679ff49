import { readFile } from 'node:fs/promises';

/**
 * Reads the milliseconds of processor time so far from these files of /proc, such as `/proc/1/stat` of a process and
 * `/proc/1/task/1/stat` of its first thread; Linux only, whose ticks last 10 ms. Ended threads and processes count
 * nothing.
 */
export async function processorTime(files: readonly string[]): Promise<number> {
  const stats = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return stats.reduce((sum, stat) => {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return sum + 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0));
  }, 0);
}
