/**
 * Fills all lanes until it receives a message. It is a separate process, so that the attack does not delay the
 * measurement. The process has a low priority, because real attackers use other machines.
 */
import { setPriority } from 'node:os';
import { fillLanes, type Target } from './lanes.ts';

setPriority(5);
const acceptedEmails: string[] = [];
let isOver = false;
process.once('message', (target: Target) => {
  process.once('message', () => {
    isOver = true;
  });
  void fillLanes({ ...target, onAcceptedEmail: (email) => acceptedEmails.push(email) }, () => isOver).then((lanes) => {
    process.send?.({ lanes, acceptedEmails });
    process.disconnect();
  });
});
