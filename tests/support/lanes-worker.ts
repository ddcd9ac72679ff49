/**
 * Fills all lanes from a process of its own until it hears a message, so that who measures does not wait for who attacks.
 * It stands back behind other processes: strangers have machines of their own.
 */
import { setPriority } from 'node:os';
import { fillLanes, type Target } from './lanes.ts';

setPriority(5);
const taken: string[] = [];
let isOver = false;
process.once('message', (target: Target) => {
  process.once('message', () => {
    isOver = true;
  });
  void fillLanes({ ...target, onTaken: (email) => taken.push(email) }, () => isOver).then((lanes) => {
    process.send?.({ lanes, taken });
    process.disconnect();
  });
});
