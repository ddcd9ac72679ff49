/** Gate route around all pages. While the gate is closed, the server does not render or load child routes. */
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
