/** Fills all lanes from a thread of its own, so that who measures does not wait for who attacks; until it hears a message. */
import { parentPort, workerData } from 'node:worker_threads';
import { fillLanes, type Target } from './lanes.ts';

const taken: string[] = [];
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
const { url, pictures } = workerData as Pick<Target, 'url' | 'pictures'>;
const lanes = await fillLanes({ url, pictures, onTaken: (email) => taken.push(email) }, () => isOver);
parentPort?.postMessage({ lanes, taken });
