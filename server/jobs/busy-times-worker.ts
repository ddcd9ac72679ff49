/** The thread of busy-times.ts: answers with the times, or with why there are none. */
import { parentPort, workerData } from 'node:worker_threads';
import { busyTimes } from './busy-times.ts';

export interface BusyTimesTask {
  text: string;
  from: Date;
  to: Date;
}

const { text, from, to }: BusyTimesTask = workerData;
parentPort?.postMessage(busyTimes(text, from, to));
