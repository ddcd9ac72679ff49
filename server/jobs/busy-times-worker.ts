/** Worker thread of busy-times.ts. Posts the busy times, or ends with an `error` event if the calendar is invalid. */
import { parentPort, workerData } from 'node:worker_threads';
import { busyTimes } from './busy-times.ts';

export interface BusyTimesTask {
  text: string;
  from: Date;
  to: Date;
}

const { text, from, to }: BusyTimesTask = workerData;
parentPort?.postMessage(busyTimes(text, from, to));
