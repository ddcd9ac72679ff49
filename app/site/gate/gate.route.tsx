/**
 * Stands before every page. With the gate on, nothing below is rendered or loaded by the server, and the browser starts
 * to load it when the gate opens.
 */
import { createFileRoute } from '@tanstack/react-router';
import { gateChallenge } from '../../api/gate/challenge.ts';
import { whenGateOpens } from '../../api/gate/opening.ts';
import { isMailedPage } from '../../ui/lib/mailed-page.ts';

export const Route = createFileRoute('/_gate')({
  ssr: () => gateChallenge() === null,
  beforeLoad: async ({ location }) => {
    if (gateChallenge() && !isMailedPage(location.href)) await whenGateOpens();
  },
});
