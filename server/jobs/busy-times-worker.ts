/** Worker thread of busy-times.ts. Posts the busy times. An invalid calendar ends it with an `error` event. */
import { parentPort, workerData } from 'node:worker_threads';
import { busyTimes } from './busy-times.ts';

export interface BusyTimesTask {
  text: string;
  from: Date;
  to: Date;
}

const { text, from, to }: BusyTimesTask = workerData;
parentPort?.postMessage(busyTimes(text, from, to));
