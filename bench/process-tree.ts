import { readFile } from 'node:fs/promises';

/** Returns a process and all its descendants, such as a server and its Postgres; Linux only. */
export async function processTree(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const trees = await Promise.all(children.split(' ').filter(Boolean).map(Number).map(processTree));
  return [pid, ...trees.flat()];
}

/** Returns the memory of these processes in MB. Shared pages count once (proportional set size). */
export async function memoryOf(pids: readonly number[]): Promise<number> {
  const files = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')));
  const kilobytes = files.map((file) => Number(/^Pss:\s+(\d+)/m.exec(file)?.[1] ?? 0));
  return Math.round(kilobytes.reduce((sum, value) => sum + value, 0) / 1024);
}
